const TEXTS: Readonly<Record<string, string>> = {
  parted_long_ago: 'it parted from the target more than 2,000 commits ago, or has more than 256 of its own',
  remote_too_large: 'there is too much to compare',
  remote_unreadable: 'the repository cannot be read',
  out_of_time: 'the comparison takes too long',
  no_parent: 'there is no commit before it',
  landing_not_found: 'the repository does not have commits with SHA-1 hashes',
  not_computed: 'the process that compares ended',
};

/** The verifier's reason for a person, as the rest of a sentence. */
export const unknownText = (reason: string): string => TEXTS[reason] ?? reason;
