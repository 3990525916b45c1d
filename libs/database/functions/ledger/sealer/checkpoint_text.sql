CREATE OR REPLACE FUNCTION ledger.checkpoint_text(origin text, size bigint, root bytea) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN origin || E'\n' || size || E'\n' || encode(root, 'base64') || E'\n\n';
COMMENT ON FUNCTION ledger.checkpoint_text IS
  'Returns what the signed checkpoint of a log begins with: its text (C2SP tlog-checkpoint) and the empty line before '
  'the signatures. ledger.store_notes and ledger.altered_logs call it.';
REVOKE ALL ON FUNCTION ledger.checkpoint_text FROM PUBLIC;
