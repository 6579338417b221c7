-- Two sources count to 500; every number goes to the sum of the odd or of the even ones, which end at 125000 and 125500. A checkpoint
-- keeps the sums together with how far each source has been read, so that a restart never counts a number twice.
SET 'pipeline.name' = 'odd-even';
SET 'execution.checkpointing.interval' = '300 ms';

CREATE TABLE blue (n BIGINT) WITH (
  'connector' = 'datagen', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '500', 'rows-per-second' = '250'
);
CREATE TABLE yellow (n BIGINT) WITH (
  'connector' = 'datagen', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '500', 'rows-per-second' = '250'
);
CREATE VIEW numbers AS SELECT n FROM blue UNION ALL SELECT n FROM yellow;

CREATE TABLE sums (parity STRING, total BIGINT, PRIMARY KEY (parity) NOT ENFORCED)
WITH ('connector' = 'filesystem', 'path' = 'out/sums.ndjson', 'format' = 'changelog-json');

INSERT INTO sums
SELECT CASE WHEN MOD(n, 2) = 0 THEN 'even' ELSE 'odd' END AS parity, SUM(n) AS total
FROM numbers
GROUP BY CASE WHEN MOD(n, 2) = 0 THEN 'even' ELSE 'odd' END;
