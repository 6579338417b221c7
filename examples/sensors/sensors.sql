-- The average temperature of each sensor by minute, from lines such as sensor_1,1547718199,35.8, with a checkpoint every
-- 300 ms. Stop it and start it again: it goes on where it was, and the output is the same, 25 rows in out/averages/.
SET 'pipeline.name' = 'sensors';
SET 'execution.checkpointing.interval' = '300 ms';

CREATE TABLE readings (
  id STRING,
  seconds BIGINT,
  temperature DOUBLE,
  ts AS TO_TIMESTAMP_LTZ(seconds, 0),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'examples/sensors/sensors.csv', 'format' = 'csv', 'scan.rows-per-second' = '100');

CREATE TABLE averages (id STRING, minute_start TIMESTAMP_LTZ(3), readings BIGINT, temperature DOUBLE)
WITH ('connector' = 'filesystem', 'path' = 'out/averages/', 'format' = 'json');

INSERT INTO averages
SELECT id, TUMBLE_START(ts, INTERVAL '1' MINUTE), COUNT(*), ROUND(AVG(temperature), 2)
FROM readings
GROUP BY id, TUMBLE(ts, INTERVAL '1' MINUTE);
