/** SQL that makes an id as a service does: a UUIDv7 of this moment, of which the present month has the partition. */
export const NEW_BUILD_ID = `overlay(gen_random_uuid()::text PLACING left(tenancy.first_id(now())::text, 15)
                                     FROM 1 FOR 15)::uuid`;
