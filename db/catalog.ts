import type { ClientBase, Pool } from 'pg'

/**
 * Everything that the schema `public` consists of, as lines of text by kind: two databases are equal when their lines
 * are. What one and the same program makes differently on different days is left out: the months of what is kept by
 * months, instants, and what is drawn by lot; and so is what the migrator notes for itself.
 */
export type Catalog = Readonly<Record<keyof typeof KINDS | 'rows', readonly string[]>>

/** Not of an extension. */
const OWN = (alias: string, catalog: string): string =>
  `not exists (select from pg_depend e where e.classid = '${catalog}'::regclass and e.objid = ${alias}.oid and e.deptype = 'e')`
/** A part of a table that is kept by months. */
const MONTH = (alias: string): string => `${alias}.relispartition and ${alias}.relname ~ '_\\d{4}_\\d{2}$'`
/** Who may do what beside the owner, whose name differs from place to place. */
const RIGHTS = (acl: string, owner: string): string =>
  `coalesce((select ' rights: ' || string_agg(case a.grantee when 0 then 'public' when ${owner} then 'owner' else a.grantee::regrole::text end
     || ' ' || a.privilege_type || case when a.is_grantable then '*' else '' end, ', ' order by 1) from aclexplode(${acl}) a), '')`

const TABLES = `from pg_class c where c.relnamespace = 'public'::regnamespace and ${OWN('c', 'pg_class')} and not (${MONTH('c')})
  and c.relname !~ '^function_files'`

/** What reads the lines of each kind; each returns one column `line`. */
const KINDS = {
  extensions: `select extname as line from pg_extension where extname <> 'plpgsql'`,
  tables: `select c.relname || ' ' || c.relkind::text || c.relpersistence::text || coalesce(' ' || pg_get_partkeydef(c.oid), '')
      || coalesce(' part: ' || pg_get_expr(c.relpartbound, c.oid), '') || coalesce(' of type ' || nullif(c.reloftype, 0)::regtype, '')
      || coalesce(' ' || c.reloptions::text, '') || case when c.relrowsecurity then ' row security' else '' end
      || case c.relreplident when 'd' then '' else ' replica identity ' || c.relreplident::text end
      || ${RIGHTS('c.relacl', 'c.relowner')} as line
    ${TABLES} and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
  columns: `select c.relname || ' ' || row_number() over (partition by c.oid order by a.attnum) || ' ' || quote_ident(a.attname) || ' '
      || format_type(a.atttypid, a.atttypmod) || case when a.attcollation <> t.typcollation then ' collate ' || a.attcollation::regcollation else '' end
      || case when a.attnotnull then ' not null' else '' end || case a.attidentity when '' then '' else ' identity ' || a.attidentity::text end
      || case when d.oid is null then '' when a.attgenerated <> '' then ' generated ' || a.attgenerated::text || ' ' else ' default ' end
      || coalesce(pg_get_expr(d.adbin, d.adrelid), '') || case when a.attstorage <> t.typstorage then ' storage ' || a.attstorage::text else '' end
      || coalesce(' ' || a.attoptions::text, '') || coalesce(' statistics ' || nullif(a.attstattarget, -1), '') || ${RIGHTS('a.attacl', 'c.relowner')} as line
    from (select c.* ${TABLES} and c.relkind in ('r', 'p', 'v', 'm', 'f')) c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum`,
  // Whether a column may be null is told with it: how PostgreSQL calls that differs with its version and what a table was called.
  constraints: `select coalesce(c.relname, n.contypid::regtype::text) || ' ' || quote_ident(n.conname) || ' ' || n.contype::text || ' ' || pg_get_constraintdef(n.oid)
      || case when n.connoinherit then ' no inherit' else '' end || case when n.convalidated then '' else ' (not valid)' end as line
    from pg_constraint n left join pg_class c on c.oid = n.conrelid
    where n.connamespace = 'public'::regnamespace and n.conparentid = 0 and n.contype <> 'n' and not coalesce(${MONTH('c')} or c.relname = 'function_files', false)`,
  // Those of parts follow from those of the whole.
  indexes: `select pg_get_indexdef(i.indexrelid) || case when i.indisvalid then '' else ' (not valid)' end || case when i.indisclustered then ' clustered' else '' end
      || case when i.indisreplident then ' replica identity' else '' end || coalesce(' statistics ' || (select string_agg(a.attnum || ':' || a.attstattarget, ' ' order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attstattarget <> -1), '') as line
    from pg_index i join (select c.* ${TABLES}) c on c.oid = i.indexrelid where not c.relispartition`,
  triggers: `select pg_get_triggerdef(g.oid) || case g.tgenabled when 'O' then '' else ' enabled ' || g.tgenabled::text end as line
    from pg_trigger g join (select c.* ${TABLES}) c on c.oid = g.tgrelid where not g.tgisinternal and g.tgparentid = 0`,
  views: `select c.relname || ': ' || pg_get_viewdef(c.oid) as line ${TABLES} and c.relkind in ('v', 'm')`,
  rules: `select r.ev_class::regclass || ' ' || pg_get_ruledef(r.oid) as line from pg_rewrite r join (select c.* ${TABLES}) c on c.oid = r.ev_class where r.rulename <> '_RETURN'`,
  functions: `select p.oid::regprocedure || ' ' || pg_get_functiondef(p.oid) || ${RIGHTS('p.proacl', 'p.proowner')} as line
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a' and ${OWN('p', 'pg_proc')}`,
  aggregates: `select p.oid::regprocedure || ' ' || a.aggtransfn || ' ' || a.aggtranstype::regtype || ' ' || coalesce(a.agginitval, '') || ' ' || p.proparallel::text
      || ' ' || a.aggfinalfn || ' ' || a.aggcombinefn || ${RIGHTS('p.proacl', 'p.proowner')} as line
    from pg_aggregate a join pg_proc p on p.oid = a.aggfnoid where p.pronamespace = 'public'::regnamespace and ${OWN('p', 'pg_proc')}`,
  sequences: `select s.sequencename || ' ' || s.data_type || ' from ' || s.start_value || ' by ' || s.increment_by || ' within ' || s.min_value || '..' || s.max_value
      || ' cache ' || s.cache_size || case when s.cycle then ' cycle' else '' end || coalesce(' at ' || s.last_value, '')
      || coalesce((select ' of ' || d.refobjid::regclass || '.' || a.attname from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')), '') || ${RIGHTS('c.relacl', 'c.relowner')} as line
    from pg_sequences s join pg_class c on c.oid = format('public.%I', s.sequencename)::regclass where s.schemaname = 'public'`,
  types: `select t.typname || ' ' || t.typtype::text || coalesce(' ' || nullif(t.typbasetype, 0)::regtype, '') || coalesce(' ' || t.typdefault, '') || case when t.typnotnull then ' not null' else '' end
      || coalesce((select ' ' || string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid), '') as line
    from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype in ('d', 'e', 'r', 'b') and t.typelem = 0 and ${OWN('t', 'pg_type')}
    union all select 'composite ' || c.relname || ' ' || (select string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0)
    ${TABLES} and c.relkind = 'c'`,
  statistics: `select pg_get_statisticsobjdef(s.oid) as line from pg_statistic_ext s where s.stxnamespace = 'public'::regnamespace`,
  others: `select 'policy ' || polname || ' on ' || polrelid::regclass as line from pg_policy
    union all select 'event trigger ' || evtname || ' ' || evtevent || ' ' || evtfoid::regproc from pg_event_trigger
    union all select 'collation ' || collname from pg_collation c where collnamespace = 'public'::regnamespace and ${OWN('c', 'pg_collation')}
    union all select 'operator ' || o.oid::regoperator from pg_operator o where oprnamespace = 'public'::regnamespace and ${OWN('o', 'pg_operator')}
    union all select 'cast ' || castsource::regtype || ' as ' || casttarget::regtype from pg_cast c where c.oid >= 16384 and ${OWN('c', 'pg_cast')}`,
  comments: `select pg_describe_object(d.classoid, d.objoid, d.objsubid) || ': ' || d.description as line from pg_description d
    where d.objoid >= 16384 and d.classoid <> 'pg_extension'::regclass and not exists (
      select from pg_depend e where e.classid = d.classoid and e.objid = d.objoid and e.deptype = 'e')`,
} as const

/** Their rows say what happened to the database itself. */
const OF_THE_DATABASE = ['kysely_migration', 'kysely_migration_lock']

/** Lists a database through a pool of `createPool`, whose styles of dates and intervals it is written in. It reads only; other schemas (the queue's) are not looked at. */
export async function listCatalog(client: ClientBase | Pool): Promise<Catalog> {
  const lines: Record<string, string[]> = {}
  for (const [kind, text] of Object.entries(KINDS))
    lines[kind] = (await client.query<{ line: string }>(`select x.line from (${text}) x`)).rows
      .map(({ line }) => line)
      .toSorted()
  const { rows: tables } = await client.query<{ name: string; chance: string[] }>(
    `select c.relname as name, array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
       and (a.atttypid in ('timestamptz'::regtype, 'bytea'::regtype) or c.relname = 'audit_log' and a.attname = 'id')) as chance
     ${TABLES} and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1) order by 1`,
    [OF_THE_DATABASE],
  )
  const found: string[] = []
  for (const { name, chance } of tables) {
    const { rows } = await client.query<{ line: string }>(
      `select (to_jsonb(t) - $1::text[])::text as line from public."${name}" t`,
      [chance],
    )
    // A change that the trail kept holds the instants of its row.
    for (const { line } of rows) found.push(`${name} ${line.replaceAll(/"\d{4}-\d{2}-\d{2}T[\d:.+]+"/g, '"…"')}`)
  }
  return { ...lines, rows: found.toSorted() } as unknown as Catalog
}
