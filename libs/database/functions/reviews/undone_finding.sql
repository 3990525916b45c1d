CREATE OR REPLACE FUNCTION reviews.undone_finding(finding reviews.undone_findings, other_commit text) RETURNS jsonb
LANGUAGE sql IMMUTABLE
AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'commitId', other_commit, 'path', finding.path, 'in', finding.in_file, 'firstLine', finding.first_line,
    'lastLine', finding.last_line, 'kind', finding.kind, 'certainty', finding.certainty,
    'sourceCommitId', finding.source_commit_id, 'isSaid', finding.is_said))
$$;
COMMENT ON FUNCTION reviews.undone_finding IS
  'Returns a place of undone work in the fields of a receipt, with the commit of the landing on the other side. '
  'reviews.get_undone_work calls it.';
REVOKE ALL ON FUNCTION reviews.undone_finding FROM PUBLIC;
