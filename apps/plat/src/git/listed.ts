/** The entries of a listing that git printed with `-z`. */
export function listed(output: string): string[] {
  return output.split('\0').filter((entry) => entry !== '');
}
