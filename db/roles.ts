import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import pg from 'pg'

/**
 * Two roles of the database. The owner makes and changes tables (migrations). The program reads and writes rows and can
 * do nothing else: not change a table, not put a trigger to sleep, not empty a table, not touch what is only appended.
 */

/** Name of the program's role where nobody gave it one: in the embedded database. */
const PROGRAM = 'ems_program'

/** The same URL for another role. Not by `URL`, which refuses the empty host of a socket's address. */
export const withRole = (url: string, user: string, password?: string): string =>
  url.replace(
    /^(\w+:\/\/)(?:[^@/?]*@)?/,
    `$1${encodeURIComponent(user)}${password ? `:${encodeURIComponent(password)}` : ''}@`,
  )

/** The URL of the program's role beside that of the owner of an embedded database; they share the password, if any. */
export const programUrl = (ownerUrl: string): string => withRole(ownerUrl, PROGRAM, roleOf(ownerUrl).password)

/** Role and password that a URL signs in with. */
function roleOf(url: string): { user: string; password?: string } {
  const { user, password } = new pg.Client({ connectionString: url })
  return { user: user ?? 'postgres', ...(password && { password }) }
}

/** A table of which rows are only added has triggers on update and delete that can do nothing but refuse. */
const APPEND_ONLY = `exists (select from pg_trigger t join pg_proc f on f.oid = t.tgfoid
  where t.tgrelid = c.oid and not t.tgisinternal and t.tgqual is null and t.tgattr = '' and t.tgtype & 26 = 26 and f.prosrc !~* '\\mreturn\\M')`

/** What the program may do with each table; what differs from what it may now is granted and taken away. */
const TABLES = `
  select c.oid, format('%I.%I', n.nspname, c.relname) as name, array(select distinct unnest(case
    when n.nspname = 'pgboss' then '{SELECT,INSERT,UPDATE,DELETE}'
    -- Reached through the table they are parts of, never by themselves.
    when c.relispartition then '{}'
    -- Written by the functions of their owner.
    when c.relname in ('audit_log', 'row_counts', 'ledger_entries', 'ledger_postings', 'payer_balances', 'invoice_balances', 'exam_paper_moves', 'offering_words') or c.relname like '%\\_searched' or c.relname = 'function_files' or c.relname like 'kysely\\_migration%' or c.relkind in ('v', 'm') then '{SELECT}'
    when ${APPEND_ONLY} then '{SELECT,INSERT}'
    else '{SELECT,INSERT,UPDATE,DELETE}'
  end::text[]) order by 1) as wanted
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p', 'v', 'm')
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  union all
  select c.oid, 'sequence ' || format('%I.%I', n.nspname, c.relname), '{SELECT,USAGE}'
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'pgboss') and c.relkind = 'S'`

/**
 * Gives the role of `url` what the program needs, and takes what it must not have; makes the role where it is missing
 * and may be made. Every start of the owner does it, so that new tables are covered. Does nothing when the program is
 * the owner.
 *
 * @throws {Error} when the role is missing and cannot be made
 */
export async function admitProgram<Tables>(db: Kysely<Tables>, url: string): Promise<void> {
  const { user, password } = roleOf(url)
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('roles of the program'))`.execute(tx)
    const { rows } = await sql<{ owner: boolean; known: boolean; maker: boolean }>`
      select current_user = ${user} as owner, exists (select from pg_roles where rolname = ${user}) as known,
        (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as maker`.execute(tx)
    const [found] = rows
    if (found?.owner) return
    const role = pg.escapeIdentifier(user)
    if (!found?.known) {
      const statement = `create role ${role} login`
      if (!found?.maker)
        throw new Error(
          `The database has no role ${role}, and the role that migrates may not make it. Make it: ${statement} password '…'`,
        )
      // Roles belong to the whole server: another database's start may have made it just now.
      await sql
        .raw(
          `do $$ begin ${statement}${password ? ` password ${pg.escapeLiteral(password)}` : ''};
           exception when duplicate_object or unique_violation then null; end $$`,
        )
        .execute(tx)
    }
    const changes = await sql<{ name: string; wanted: string[] }>`
      select wanted.name, wanted.wanted from (${sql.raw(TABLES)}) wanted join pg_class c using (oid)
      where wanted.wanted is distinct from array(
        select a.privilege_type from aclexplode(c.relacl) a where a.grantee = ${user}::regrole order by 1)
      order by 1`.execute(tx)
    const statements = [
      'revoke create on schema public from public',
      `grant usage on schema public, pgboss to ${role}`,
      ...changes.rows.flatMap(({ name, wanted }) => [
        `revoke all on ${name} from ${role}`,
        ...(wanted.length ? [`grant ${wanted.join(', ')} on ${name} to ${role}`] : []),
      ]),
    ]
    await sql.raw(`do $grants$ begin\n${statements.join(';\n')};\nend $grants$`).execute(tx)
  })
}

/** What the role of a connection could do to the audit trail; empty: nothing. For a warning at start. */
export async function mightOf<Tables>(db: Kysely<Tables>): Promise<'superuser' | 'owner' | null> {
  const { rows } = await sql<{ superuser: boolean; owner: boolean }>`
    select rolsuper as superuser, exists (
      select from pg_class where oid = to_regclass('public.audit_log') and pg_has_role(current_user, relowner, 'member')
    ) as owner from pg_roles where rolname = current_user`.execute(db)
  return rows[0]?.superuser ? 'superuser' : rows[0]?.owner ? 'owner' : null
}
