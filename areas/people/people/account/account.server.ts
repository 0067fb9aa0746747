/**
 * SQL: how far the account is that `u` (SQL of its id) names; without one nobody was invited. An invitation counts while its link works: an account with a
 * password, or one that a provider signs in, needs none.
 */
export const accountStateSql = (u: string): string => `(select case
    when x.blocked_at is not null then 'account_blocked'
    when exists (select from last_logins l where l.user_id = x.id) then 'in_use'
    when x.password_hash is not null then 'not_signed_in'
    when exists (select from password_resets p where p.user_id = x.id and p.used_at is null and p.expires_at > now()) then 'invited'
    else 'not_invited' end
  from (select 1) one left join users x on x.id = ${u})`
