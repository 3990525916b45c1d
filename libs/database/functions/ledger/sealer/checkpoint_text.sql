CREATE OR REPLACE FUNCTION ledger.checkpoint_text(origin text, size bigint, root bytea) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN origin || E'\n' || size || E'\n' || encode(root, 'base64') || E'\n\n';
COMMENT ON FUNCTION ledger.checkpoint_text IS
  'Returns what the signed checkpoint of a log begins with: its text (C2SP tlog-checkpoint) and the empty line '
  'before the signatures. What stores checkpoints, and what looks for altered logs, calls it.';
REVOKE ALL ON FUNCTION ledger.checkpoint_text FROM PUBLIC;
