-- Delays by airport and day, over the 6,099 flights that left New York in the first week of 2013, in the order they departed.
-- The scheduled hour runs up to a day behind, so the watermark waits that long before a day is final. Prints 24 rows.
CREATE TABLE flights (
  `year` INT, `month` INT, `day` INT, dep_time INT, sched_dep_time INT, dep_delay INT, arr_time INT, sched_arr_time INT,
  arr_delay INT, carrier STRING, flight INT, tailnum STRING, origin STRING, dest STRING, air_time INT, distance INT,
  `hour` INT, `minute` INT, time_hour TIMESTAMP(3),
  WATERMARK FOR time_hour AS time_hour - INTERVAL '24' HOUR
) WITH (
  'connector' = 'filesystem', 'path' = 'examples/flights/flights.csv.gz', 'format' = 'csv', 'csv.header' = 'true', 'csv.null-literal' = 'NA'
);

SELECT origin, window_start, COUNT(*) AS flights, MAX(dep_delay) AS worst, ROUND(AVG(dep_delay), 1) AS mean
FROM TABLE(TUMBLE(TABLE flights, DESCRIPTOR(time_hour), INTERVAL '1' DAY))
GROUP BY origin, window_start, window_end
ORDER BY window_start, origin;
