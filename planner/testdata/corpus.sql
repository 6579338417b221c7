=== nx-view-person nx-view-bid
CREATE TABLE events (
  event_type INT,
  person ROW<id BIGINT, name VARCHAR, emailAddress VARCHAR, creditCard VARCHAR, city VARCHAR, state VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR>,
  auction ROW<id BIGINT, itemName VARCHAR, description VARCHAR, initialBid BIGINT, reserve BIGINT, `dateTime` TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra VARCHAR>,
  bid ROW<auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR>,
  `dateTime` AS CASE WHEN event_type = 0 THEN person.`dateTime` WHEN event_type = 1 THEN auction.`dateTime` ELSE bid.`dateTime` END,
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND
) WITH ('connector' = 'any');
=== nexmark
CREATE TABLE events (
  event_type INT,
  person ROW<id BIGINT, name VARCHAR, emailAddress VARCHAR, creditCard VARCHAR, city VARCHAR, state VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR>,
  auction ROW<id BIGINT, itemName VARCHAR, description VARCHAR, initialBid BIGINT, reserve BIGINT, `dateTime` TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra VARCHAR>,
  bid ROW<auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR>,
  `dateTime` AS CASE WHEN event_type = 0 THEN person.`dateTime` WHEN event_type = 1 THEN auction.`dateTime` ELSE bid.`dateTime` END,
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND
) WITH ('connector' = 'any');
CREATE VIEW person AS SELECT person.id, person.name, person.emailAddress, person.city, person.state, `dateTime`, person.extra FROM events WHERE event_type = 0;
CREATE VIEW auction AS SELECT auction.id, auction.itemName, auction.description, auction.initialBid, auction.reserve, `dateTime`, auction.expires, auction.seller, auction.category, auction.extra
FROM events WHERE event_type = 1;
CREATE VIEW bid AS SELECT bid.auction, bid.bidder, bid.price, bid.channel, bid.url, `dateTime`, bid.extra FROM events WHERE event_type = 2;
CREATE VIEW B AS SELECT *, PROCTIME() AS p_time FROM bid;
CREATE TABLE side_input (key BIGINT, `value` STRING) WITH ('connector' = 'any');
CREATE FUNCTION count_char(s STRING, c STRING) RETURNS BIGINT RETURN CAST(CHAR_LENGTH(s) - CHAR_LENGTH(REPLACE(s, c, '')) AS BIGINT);
=== cte over tvf group-window
CREATE TABLE bid (auction BIGINT, bidder BIGINT, price BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
CREATE TABLE orders (user_id BIGINT, amount BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
CREATE TABLE clicks (user_id BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
CREATE TABLE t (a INT, b INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
CREATE TABLE l (num INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
CREATE TABLE r LIKE l;
=== interval literal
CREATE TABLE t (a STRING, ts TIMESTAMP(3)) WITH ('connector' = 'any');
=== cast
CREATE TABLE t (x STRING, a INT, b INT) WITH ('connector' = 'any');
CREATE FUNCTION f(x STRING) RETURN x;
=== cast-interval
CREATE TABLE t (x INTERVAL DAY TO SECOND) WITH ('connector' = 'any');
=== function
CREATE TABLE t (ts TIMESTAMP(3), name STRING, a INT, b INT, payload STRING, WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
=== fn-case
CREATE TABLE t (a INT, b BOOLEAN) WITH ('connector' = 'any');
=== fn-timestampdiff
CREATE TABLE t (ts TIMESTAMP(3), a TIMESTAMP(3), b TIMESTAMP(3)) WITH ('connector' = 'any');
=== fn-left-right
CREATE TABLE t (name STRING, a INT) WITH ('connector' = 'any');
=== operator
CREATE TABLE t (a INT, b INT, c INT, d INT, e INT, f INT) WITH ('connector' = 'any');
=== op-like
CREATE TABLE t (a STRING, b STRING, c STRING) WITH ('connector' = 'any');
=== op-concat
CREATE TABLE t (a STRING, b STRING, c BOOLEAN, first STRING, last STRING) WITH ('connector' = 'any');
=== op-is
CREATE TABLE t (a BOOLEAN, b BOOLEAN, c BOOLEAN, d BOOLEAN) WITH ('connector' = 'any');
=== constructor
CREATE TABLE t (a INT, b STRING) WITH ('connector' = 'any');
=== acc-field
CREATE TABLE t (a ROW<b ROW<c ROW<d ROW<e INT>>>>) WITH ('connector' = 'any');
=== acc-index
CREATE TABLE t (arr ARRAY<ROW<x INT>>, m MAP<STRING, MAP<STRING, ROW<c ARRAY<INT>>>>, i INT, x STRING, a ROW<b INT>) WITH ('connector' = 'any');
CREATE FUNCTION f(x STRING) RETURN ARRAY[x];
=== quoting
CREATE TABLE "my table" ("first name" STRING, "a""b" STRING, `a``b` STRING, `select` INT) WITH ('connector' = 'any');
CREATE TABLE 订单 (用户 STRING, prénom STRING, 金额 INT) WITH ('connector' = 'any');
CREATE TABLE t (key INT, value INT, date DATE, timestamp TIMESTAMP, year INT, type INT, status STRING, level INT, name STRING, query STRING, count INT, rank INT,
  a INT, b INT, c INT, d INT, e INT, $rowtime TIMESTAMP(3), a$b INT) WITH ('connector' = 'any');
=== id-backtick id-dquote
CREATE TABLE "my table" ("user" ROW<"first name" STRING>, "a""b" STRING, `a``b` STRING, `select` INT) WITH ('connector' = 'any');
=== join
CREATE TABLE a (id INT, k INT, x INT, y INT) WITH ('connector' = 'any');
CREATE TABLE b (id INT, k INT, x INT) WITH ('connector' = 'any');
CREATE TABLE c (id INT, y INT) WITH ('connector' = 'any');
CREATE TABLE d (z INT) WITH ('connector' = 'any');
CREATE TABLE orders (id INT, tags ARRAY<STRING>, price BIGINT, cur STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
CREATE TABLE shipments (order_id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
CREATE TABLE rates (cur STRING, rate BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (cur) NOT ENFORCED) WITH ('connector' = 'any');
CREATE TABLE cities (name STRING) WITH ('connector' = 'any');
CREATE TABLE people (city STRING, age INT) WITH ('connector' = 'any');
CREATE TABLE t (line STRING) WITH ('connector' = 'any');
=== subquery
CREATE TABLE t (id INT, a INT, c INT, d INT, e INT) WITH ('connector' = 'any');
CREATE TABLE u (id INT, b INT, c INT) WITH ('connector' = 'any');
CREATE TABLE v (c INT, d INT) WITH ('connector' = 'any');
CREATE TABLE z (x INT, y INT) WITH ('connector' = 'any');
=== setop order
CREATE TABLE t (a INT, b STRING) WITH ('connector' = 'any', 'bounded' = 'true');
CREATE TABLE u (b INT) WITH ('connector' = 'any', 'bounded' = 'true');
CREATE TABLE v (c INT) WITH ('connector' = 'any', 'bounded' = 'true');
=== emit
CREATE TABLE t (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
=== groupby aggregate
CREATE TABLE t (a INT, b INT, c INT, x DOUBLE, name STRING, window_start TIMESTAMP(3), ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
=== match
CREATE TABLE ticker (id INT, symbol STRING, price INT, rowtime TIMESTAMP(3), WATERMARK FOR rowtime AS rowtime) WITH ('connector' = 'any');
=== hint dml command
CREATE TABLE t (a INT, b INT) WITH ('connector' = 'any');
CREATE TABLE t1 (id INT) WITH ('connector' = 'any');
CREATE TABLE t2 (id INT) WITH ('connector' = 'any');
CREATE TABLE src (x INT, y STRING) WITH ('connector' = 'any');
CREATE TABLE s (x INT, y STRING) WITH ('connector' = 'any');
=== ins-values
CREATE TABLE sink (a INT, b STRING) WITH ('connector' = 'any');
=== ins-overwrite
CREATE TABLE sink (a INT, dt STRING) PARTITIONED BY (dt) WITH ('connector' = 'any');
=== ddl-like
CREATE TABLE t1 (ts TIMESTAMP(3), a INT, b AS a + 1, WATERMARK FOR ts AS ts) WITH ('connector' = 'any');
=== ddl-ctas ddl-alter
CREATE TABLE t (a INT, b INT) WITH ('connector' = 'any');
=== multi
CREATE TABLE sink (a STRING, b STRING, c STRING) WITH ('connector' = 'any');
