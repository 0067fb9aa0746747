import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { BundleErrorCode } from '../bundle/texts.rules.ts'
import { keepTable, numbers, refuseBundle, sample } from './staging.server.ts'
import type { ImportedKind, ImportRun } from './staging.server.ts'

/** How records of one kind come from the bundle. */
export interface Merge {
  readonly kind: ImportedKind
  readonly table: string
  /** Column of `external_ids`. */
  readonly key: string
  /** Answers external_id, line, label, made (its code was made, not given), and every column below. */
  readonly from: RawBuilder<unknown>
  /** Columns that the source owns: followed until somebody changes them here. */
  readonly owned: readonly string[]
  /** Columns that are set when the record is made, and left alone afterwards. */
  readonly initial?: readonly string[]
  /** Owned columns that refer to records of a kind, to say their codes. */
  readonly refs?: Readonly<Record<string, readonly [table: string, kind: ImportedKind]>>
  /** Columns that together tell records apart; the first is the one to be corrected. */
  readonly unique: readonly string[]
  /** Where a code that is taken stands in the bundle. */
  readonly place: { readonly file: string; readonly column: string; readonly code?: BundleErrorCode }
  /** Further columns of `from` that are remembered as imported. */
  readonly remembered?: readonly string[]
  /** Columns that cannot follow for some records, as statements that say so before anything is written. */
  readonly block?: (run: ImportRun, table: RawBuilder<unknown>) => Promise<void>
}

const list = (columns: readonly string[], make: (column: string) => string, between = ', ') =>
  sql.raw(columns.map(make).join(between))

/**
 * Compares records of the bundle with those of the university in three ways: what the source says now, what it said at
 * the last import, what stands here. What the source changed is taken over; what was changed here since stays, and is
 * told. Leaves the table `m_KIND`: known (id; below zero while it is only a plan), fresh, and for each owned column c:
 * c (bundle), now_c (here), fin_c (afterwards).
 */
export async function mergeBundle(run: ImportRun, definition: Merge): Promise<void> {
  const { tx, source, apply } = run
  const { kind, table, key, from, owned, initial = [], unique, remembered = [] } = definition
  const m = sql.table(`m_${kind}`)
  const t = sql.table(table)
  const id = sql.ref(key)
  if (unique.length === 1) await adopt(run, definition)

  const take = (c: string) =>
    `(e.${key} is null or (t.removed_at is null or e.removed_at is not null) and i.${c} is distinct from t.${c}
      and (e.imported is null or t.${c} is not distinct from b.${c})${c === 'code' ? ' and not i.made' : ''})`
  await keepTable(
    tx,
    `m_${kind}`,
    sql`select i.*,
        coalesce(e.${id}, ${apply ? sql`nextval(pg_get_serial_sequence(${table}, 'id'))` : sql`-row_number() over (order by i.line)`})::integer as known,
        e.${id} is null as fresh, coalesce(e.removed_at is not null, false) as gone,
        coalesce(t.removed_at is not null and e.removed_at is null, false) as here_removed, e.imported, null::text as block,
        ${list(owned, (c) => `t.${c} as now_${c}, b.${c} as base_${c}, case when ${take(c)} then i.${c} else t.${c} end as fin_${c}`)}
      from (${from}) i
      left join external_ids e on e.source = ${source} and e.kind = ${kind} and e.external_id = i.external_id
      left join ${t} t on t.id = e.${id}
      left join lateral jsonb_populate_record(null::${t}, e.imported) b on true`,
  )
  await sql`create index on ${m} (external_id)`.execute(tx)
  await definition.block?.(run, m)

  const differs = list(owned, (c) => `fin_${c} is distinct from now_${c}`, ' or ')
  const leaves = (c: string) => `${c} is distinct from fin_${c}${c === 'code' ? ' and not made' : ''}`
  const count = await numbers<{ created: number; changed: number; left: number; total: number }>(
    tx,
    sql`select count(*) filter (where fresh)::int as created, count(*)::int as total,
        count(*) filter (where not fresh and not here_removed and (gone or ${differs}))::int as changed,
        count(*) filter (where not fresh and (here_removed or ${list(owned, leaves, ' or ')}))::int as left
      from ${m}`,
  )
  Object.assign(run.counts[kind], {
    created: count.created,
    changed: count.changed,
    left: count.left,
    same: count.total - count.created - count.changed,
  })
  await taken(run, definition)
  if (count.created)
    await sample(run, kind, 'created', sql`select external_id, label, line from ${m} where fresh order by line`)
  if (count.changed || count.left) await tell(run, definition)
  if (!apply) return
  if (run.errors.length) throw refuseBundle(run.errors)

  if (count.changed) {
    // Codes that change hands: the old holders let go of them first.
    const same = list(unique, (c) => `b.now_${c} is not distinct from a.fin_${c}`, ' and ')
    await sql`update ${t} t set ${sql.ref(unique[0]!)} = '~' || t.id from ${m} b, ${m} a
      where b.known = t.id and not b.fresh and a.known <> b.known and ${same}
        and (${list(unique, (c) => `b.fin_${c} is distinct from b.now_${c}`, ' or ')})`.execute(tx)
    await sql`update ${t} t set removed_at = null, ${list(owned, (c) => `${c} = m.fin_${c}`)}
      from ${m} m where m.known = t.id and not m.fresh and not m.here_removed and (m.gone or ${differs})`.execute(tx)
  }
  const made = [...owned, ...initial]
  if (count.created)
    await sql`insert into ${t} (id, ${list(made, (c) => c)}) overriding system value
      select known, ${list(made, (c) => c)} from ${m} where fresh order by line`.execute(tx)
  const imported = sql`jsonb_build_object(${list([...owned, ...remembered], (c) =>
    owned.includes(c) ? `'${c}', case when fresh or not (${leaves(c)}) then ${c} else base_${c} end` : `'${c}', ${c}`,
  )})`
  await sql`insert into external_ids (source, kind, external_id, ${id}, imported)
    select ${source}, ${kind}, external_id, known, ${imported} from ${m} where fresh`.execute(tx)
  await sql`update external_ids e set imported = n.imported, removed_at = null
    from (select external_id, imported as before, gone, ${imported} as imported from ${m} where not fresh and not here_removed) n
    where e.source = ${source} and e.kind = ${kind} and e.external_id = n.external_id
      and (n.gone or n.before is distinct from n.imported)`.execute(tx)
}

/**
 * Records that an import of this source made, of which no identity is kept: found again by their code. The audit trail
 * says who made them.
 */
async function adopt({ tx, source }: ImportRun, { kind, table, key, from, unique }: Merge): Promise<void> {
  const [id, column] = [sql.ref(key), sql.ref(unique[0]!)]
  await sql`insert into external_ids (source, kind, external_id, ${id})
    select ${source}, ${kind}, i.external_id, t.id from (${from}) i
    join ${sql.table(table)} t on t.${column} = i.${column}
    left join external_ids e on e.source = ${source} and e.kind = ${kind} and e.external_id = i.external_id
    left join external_ids k on k.${id} = t.id
    where e.source is null and k.source is null
      and exists (select from audit_log a where a.table_name = ${table} and a.record_id = t.id and a.action = 'insert'
        and a.reason = ${`OneRoster ${source}`})`.execute(tx)
}

/** Codes that somebody else has already, each at its place in the bundle. */
async function taken({ tx, errors }: ImportRun, { kind, table, unique, place }: Merge): Promise<void> {
  const m = sql.table(`m_${kind}`)
  const first = unique[0]!
  const { rows } = await sql<{ line: number; code: string; name: string }>`
    select m.line, m.fin_${sql.raw(first)}::text as code,
      coalesce(${sql.raw(table === 'offerings' ? 't.code' : 't.name')}, '') as name
    from ${m} m join ${sql.table(table)} t on ${list(
      unique,
      (c) => (c === 'email' ? `lower(t.email) = m.fin_email` : `t.${c} = m.fin_${c}`),
      ' and ',
    )} and t.id <> m.known
    where (m.fresh or ${list(unique, (c) => `m.fin_${c} is distinct from m.now_${c}`, ' or ')})
      and not exists (select from ${m} o where o.known = t.id and (${list(unique, (c) => `o.fin_${c} is distinct from o.now_${c}`, ' or ')}))
    order by m.line limit 1000`.execute(tx)
  for (const { line, code, name } of rows)
    errors.push({
      file: `${place.file}.csv`,
      line,
      column: place.column,
      code: place.code ?? 'roster_code_taken',
      data: { code, name },
      value: code,
    })
}

/** Examples of what changes and of what is left as it stands. */
async function tell(run: ImportRun, { kind, owned, refs = {} }: Merge): Promise<void> {
  const m = sql.table(`m_${kind}`)
  const shown = (c: string, side: 'now' | 'bundle') => {
    const ref = refs[c]
    const column = side === 'now' ? `now_${c}` : c
    if (!ref) return sql.raw(`m.${column}::text`)
    const [table, of] = ref
    return side === 'now'
      ? sql.raw(`(select r.code from ${table} r where r.id = m.${column})`)
      : sql.raw(`(select r.label from m_${of} r where r.known = m.${column})`)
  }
  for (const c of owned) {
    const field = sql`select m.external_id, m.label, m.line, ${c}::text as field, ${shown(c, 'now')} as old, ${shown(c, 'bundle')} as new`
    await sample(
      run,
      kind,
      'changed',
      sql`${field} from ${m} m where not fresh and fin_${sql.raw(c)} is distinct from now_${sql.raw(c)} order by line`,
    )
    await sample(
      run,
      kind,
      'left',
      sql`${field}, coalesce(block, 'roster_left_edited') as reason from ${m} m
        where not fresh and not here_removed and ${sql.raw(c)} is distinct from fin_${sql.raw(c)}
          ${c === 'code' ? sql`and not made` : sql``} order by line`,
    )
  }
  await sample(
    run,
    kind,
    'left',
    sql`select external_id, label, line, 'roster_left_removed' as reason from ${m} where here_removed order by line`,
  )
  await sample(
    run,
    kind,
    'changed',
    sql`select external_id, label, line, 'removed_at' as field from ${m} where gone order by line`,
  )
}
