package bunstore_test

// Both queries give the same lines for the same schema: "column", its place and
// whether it may be empty; "unique" and the columns; "index", its name and columns;
// "reference" and where to. Types have other words, and are left to the specs.
const (
	sqliteSchema = `
WITH tables AS (SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'),
listed AS (
  SELECT t.name AS tab, i.name, i."unique" AS lone, i.origin, i.partial,
    (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) AS cols
  FROM tables t, pragma_index_list(t.name) i),
keys AS (
  SELECT t.name AS tab, (SELECT group_concat(name, ',') FROM
    (SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk)) AS cols FROM tables t)
SELECT line FROM (
  SELECT 'column ' || t.name || '.' || c.name ||
    CASE WHEN c."notnull" OR c.pk > 0 AND c.type = 'INTEGER' THEN ' always' ELSE ' maybe' END AS line
    FROM tables t, pragma_table_info(t.name) c
  UNION SELECT 'key ' || tab || ' ' || cols FROM keys WHERE cols IS NOT NULL
  UNION SELECT 'unique ' || tab || ' ' || cols FROM listed WHERE lone AND origin <> 'pk'
  UNION SELECT 'index ' || tab || ' ' || name || ' ' || cols || CASE WHEN partial THEN ' partly' ELSE '' END
    FROM listed WHERE NOT lone
  UNION SELECT 'reference ' || t.name || '.' || f."from" || ' ' || f."table" || '.' || f."to"
    FROM tables t, pragma_foreign_key_list(t.name) f
) ORDER BY line`

	postgresSchema = `
WITH listed AS (
  SELECT i.indrelid::regclass::text AS tab, c.relname AS name, i.indisunique AS lone, i.indisprimary AS main,
    i.indpred IS NOT NULL AS partial,
    (SELECT string_agg(a.attname, ',' ORDER BY k.n) FROM unnest(i.indkey::int[]) WITH ORDINALITY k(num, n)
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num) AS cols
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relnamespace = 'public'::regnamespace)
SELECT line FROM (
  SELECT 'column ' || table_name || '.' || column_name ||
    CASE WHEN is_nullable = 'NO' THEN ' always' ELSE ' maybe' END AS line
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION SELECT 'key ' || tab || ' ' || cols FROM listed WHERE main
  UNION SELECT 'unique ' || tab || ' ' || cols FROM listed WHERE lone AND NOT main
  UNION SELECT 'index ' || tab || ' ' || name || ' ' || cols || CASE WHEN partial THEN ' partly' ELSE '' END
    FROM listed WHERE NOT lone
  UNION SELECT 'reference ' || f.conrelid::regclass || '.' || a.attname || ' ' || f.confrelid::regclass || '.' || b.attname
    FROM pg_constraint f
    JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
    JOIN pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = f.confkey[1]
    WHERE f.contype = 'f'
) lines ORDER BY line COLLATE "C"`
)
