/** A call of a published or own SQL function, one round trip each. */
export interface SqlCall {
  /** Schema-qualified; its first parameter is the tenant, which the call supplies. */
  name: `${string}.${string}`;
  args: readonly unknown[];
  /** Select list over the function's rows `f`; all their columns when absent. */
  select?: string;
}

/**
 * The statement of a call; its parameters are those of tenancy.enter_as, then the call's own. The function runs after
 * the tenant is entered, because it takes the result of entering.
 */
export function statementOf({ name, args, select = 'f.*' }: SqlCall): string {
  const parameters = args.map((_, place) => `, $${place + 3}`).join('');
  return (
    `SELECT ${select} FROM tenancy.enter_as($1, $2) AS tenant ` +
    `CROSS JOIN LATERAL ${name}(tenant${parameters}) AS f`
  );
}
