import { z } from 'zod'

/** Written by `npm run backup`, read by `npm run restore`. A change of what stands in the archive counts it up. */
export const FORMAT = 1

const table = z.object({
  /** Schema and name, quoted where needed. */
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number(),
})
const sequence = z.object({ name: z.string(), last: z.string(), called: z.boolean() })

/** What stands in an archive, as its last entry. */
export const manifest = z.object({
  format: z.literal(FORMAT),
  /** Of the program that wrote it. */
  version: z.string(),
  /** When the snapshot was taken, by the database's clock. */
  at: z.string(),
  /** Migrations that the database had had. */
  migrations: z.array(z.string()),
  tables: z.array(table),
  sequences: z.array(sequence),
  /** Stored files: how many, and their bytes. */
  files: z.object({ count: z.number(), bytes: z.number() }),
  /** SHA-256 of every other entry, by its name. */
  entries: z.record(z.string(), z.string()),
})
export type Manifest = z.output<typeof manifest>

export const MANIFEST = 'manifest.json'

/** The entries of a table's rows, in PostgreSQL's COPY text format: `tables/public.users/000000`. */
export const tableEntry = (name: string, part: number): string =>
  `tables/${name.replaceAll('"', '')}/${String(part).padStart(6, '0')}`

/** The entry of a stored file. */
export const fileEntry = (hash: string): string => `files/${hash}`

/**
 * What is left out: who was signed in and what was being tried (a restored database signs everybody out), and what the
 * program keeps about the database itself.
 */
const LEFT_OUT = [
  'sessions',
  'login_tokens',
  'password_resets',
  'login_attempts',
  'readiness',
  'kysely_migration',
  'kysely_migration_lock',
  'function_files',
]

/** The tables of an archive with the columns that are stored, not computed: `name`, `columns`. */
export const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    array(select a.attname::text from pg_index i cross join unnest(i.indkey) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number where i.indrelid = c.oid and i.indisprimary order by k.place) as key
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition
    and (n.nspname = 'public' and c.relname <> all ('{${LEFT_OUT.join(',')}}') or n.nspname = 'pgboss' and c.relname in ('queue', 'schedule', 'subscription', 'job'))
  order by 1`

/** Sequences with where they stand: `name`, `last`, `called`. */
export const SEQUENCES = `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
  from pg_sequences where schemaname in ('public', 'pgboss') and last_value is not null order by 1`
