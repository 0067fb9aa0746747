/** Merging two records of one person: what it would do, doing it, and taking it back. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { actOn } from '#areas/records/grading/guard.server.ts'
import { followRecords } from '#areas/records/grading/terms/record.server.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { quoted } from '#kit/server/base/field-filters.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { registerOperation, writeOperation } from '#kit/server/unit/operations.ts'
import type { Operation } from '#kit/server/unit/operations.ts'
import { lookupSource, unreadNamed } from '#kit/server/base/registry.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { candidates, collisions, mergeReach } from './facts.server.ts'
import type { MergeFacts } from './facts.server.ts'
import { CHOICES } from './fields.rules.ts'
import type { FieldChoice } from './fields.rules.ts'
import { MERGE_KINDS, mergeCalls } from './merge.contract.ts'
import type { MergeKind, MergePart, MergePreview, MergedRecord } from './merge.contract.ts'
import { NO_COLLISIONS, mergeProblems, sideOf } from './merge.rules.ts'
import type { Collisions } from './merge.rules.ts'
import { countEnding, countMoving, endWaysIn, giveBack, moveRows } from './move.server.ts'
import type { Remembered } from './move.server.ts'
import { TABLES } from './pointers.rules.ts'
import { saidOf } from './two-people.server.ts'

type Queries = Db | Tx
const name = (text: string): RawBuilder<unknown> => sql.raw(quoted(text))

/** How the screens call a candidate. */
const shown = ({ id, shown: code, name: en, name_local }: MergeFacts) => ({ id, code, name: en, name_local })
/** The account of the record that goes, where another one stays: it is closed. */
const closing = (kept: MergeFacts, merged: MergeFacts): number | null =>
  kept.account_id !== null && merged.account_id !== kept.account_id ? merged.account_id : null
/** Pointers that are not followed row by row: the record that goes keeps the account that is closed; others of a student follow. */
const settled = (kind: MergeKind): string[] => (kind === 'user' ? [] : [`${TABLES[kind]}.user_id`])

/** The table of the record that a choice names. */
const tableNamed = ({ names }: FieldChoice): string | undefined => (names ? lookupSource(names)?.table : undefined)

/** Choices that are open: names of an account that bears a record are those of the record. */
const choicesOf = (kind: MergeKind, kept: MergeFacts, merged: MergeFacts): readonly FieldChoice[] =>
  kind === 'user' && (kept.bears.length || merged.bears.length)
    ? CHOICES.user.filter((one) => !one.name.startsWith('name'))
    : CHOICES[kind]

interface Judged {
  readonly choice: FieldChoice
  readonly kept: MergePreview['fields'][number]['kept']
  readonly merged: MergePreview['fields'][number]['merged']
  readonly side: MergedRecord
  readonly differs: boolean
  readonly hidden: boolean
}

/** Field by field what both hold, as far as the reader reads it, and whose value stays. */
async function judgeFields(
  ctx: Ctx,
  db: Queries,
  kind: MergeKind,
  kept: MergeFacts,
  merged: MergeFacts,
  chosen: Readonly<Record<string, MergedRecord>>,
): Promise<Judged[]> {
  const choices = choicesOf(kind, kept, merged)
  const unread = unreadNamed(kind)
  const hidden = new Set(unread ? [...(await unread(ctx, kept.id)), ...(await unread(ctx, merged.id))] : [])
  const value = (one: FieldChoice) => {
    const table = tableNamed(one)
    return table
      ? sql`(select json_build_object('name', n.name, 'name_local', n.name_local) from ${name(table)} n where n.id = t.${name(one.name)})`
      : sql`to_json(t.${name(one.name)}::text)`
  }
  const { rows } = await sql<{ id: number; fields: Record<string, Judged['kept']> }>`
    select t.id, json_object(array[${sql.join(choices.map((one) => sql`${one.name}::text`))}], array[${sql.join(
      choices.map((one) => sql`(${value(one)})::text`),
    )}]) as fields from ${name(TABLES[kind])} t where t.id = any(${[kept.id, merged.id]}::int[])`.execute(db)
  const read = (id: number, field: string): Judged['kept'] => {
    const text = rows.find((row) => row.id === id)?.fields[field] as string | null | undefined
    return text === null || text === undefined ? null : (JSON.parse(text) as Judged['kept'])
  }
  return choices.map((choice) => {
    const isHidden = hidden.has(choice.name)
    const [mine, theirs] = [read(kept.id, choice.name), read(merged.id, choice.name)]
    const told = (given: Judged['kept']): Judged['kept'] => {
      if (isHidden) return null
      const meaning = choice.choices?.find((one) => String(one.value) === given)
      return meaning ? { name: meaning.label[0], name_local: meaning.label[1] } : given
    }
    return {
      choice,
      kept: told(mine),
      merged: told(theirs),
      side: sideOf(mine, theirs, chosen[choice.name], isHidden),
      differs: !isHidden && JSON.stringify(mine) !== JSON.stringify(theirs),
      hidden: isHidden,
    }
  })
}

interface Asked {
  readonly kind: MergeKind
  readonly keep_id: number
  readonly merge_id: number
  readonly choices: Readonly<Record<string, MergedRecord>>
}

/** What merging would do, with every reason against it. Changes nothing. */
async function previewOf(ctx: Ctx, { kind, keep_id, merge_id, choices }: Asked): Promise<MergePreview> {
  const [kept, merged] = await candidates(ctx, ctx.db, kind, keep_id, merge_id)
  const found = await against(ctx.db, kind, keep_id, merge_id)
  const fields = await judgeFields(ctx, ctx.db, kind, kept, merged, choices)
  const moves = await countMoving(ctx.db, kind, merge_id, keep_id, settled(kind))
  const account = closing(kept, merged)
  const ends = new Map<MergePart, number>()
  if (kind !== 'user' && account !== null) {
    for (const [part, count] of await countMoving(ctx.db, 'user', account, kept.account_id!, [
      `${TABLES[kind]}.user_id`,
    ]))
      moves.set(part, count)
    const others = merged.studies.filter((study) => kind !== 'student' || study.id !== merged.id).length
    if (kind === 'student' && others) moves.set('student_record', others)
    ends.set('account', 1)
  }
  if (kind !== 'user' && kept.account_id === null && merged.account_id !== null) moves.set('account', 1)
  if (account !== null) for (const [part, count] of await countEnding(ctx.db, account)) ends.set(part, count)
  return {
    kind,
    kept: shown(kept),
    merged: shown(merged),
    seen: [kept.version, merged.version],
    fields: fields.map(({ choice, side, ...rest }) => ({
      name: choice.name,
      label: [choice.label[0], choice.label[1]],
      chosen: side,
      ...rest,
    })),
    parts: [
      ...[...moves].map(([part, count]) => ({ part, fate: 'moves' as const, count })),
      ...[...ends].map(([part, count]) => ({ part, fate: 'ends' as const, count })),
    ],
    two_people: found.two !== null,
    problems: mergeProblems(kind, kept, merged, found).map(toProblem),
  }
}

/** What of both does not go together, and whether they were said to be two people's. */
const against = async (db: Queries, kind: MergeKind, keep_id: number, merge_id: number): Promise<Collisions> => ({
  ...(await collisions(db, kind, keep_id, merge_id)),
  two: await saidOf(db, kind, keep_id, merge_id),
})

/** What an operation keeps of a merge: for its history, and to take it back. */
interface Facts {
  readonly record: MergeKind
  readonly kept: ReturnType<typeof shown>
  readonly merged: ReturnType<typeof shown>
  readonly account: { readonly from: number; readonly into: number } | null
  readonly remembered: Remembered
  readonly remembered_account: Remembered
}

/** Days in which a merge can be undone. */
const UNDO_DAYS = 90

const merge = handle(mergeCalls.merge, async (ctx, { body }) => {
  const { kind, keep_id, merge_id, choices, seen } = body
  const [before] = await candidates(ctx, ctx.db, kind, keep_id, merge_id)
  const { operation_id } = await writeOperation(
    ctx,
    { kind: `merge/${kind}`, reason: `merge into ${before.code}` },
    async (tx, operation) => {
      await holdBoth(tx, kind, keep_id, merge_id)
      const [kept, merged] = await candidates(ctx, tx, kind, keep_id, merge_id)
      const problems = mergeProblems(kind, kept, merged, await against(tx, kind, keep_id, merge_id))
      if (problems.length) throw new Refusal(409, problems)
      if (kept.version !== seen[0] || merged.version !== seen[1]) throw refuse(409, 'changed_meanwhile')
      const fields = await judgeFields(ctx, tx, kind, kept, merged, choices)
      const account = closing(kept, merged)
      const into_account = account === null ? null : kept.account_id!

      await into(tx, kind, merge_id, keep_id)
      let remembered_account: Remembered = {}
      let moved: Record<string, number> = {}
      if (account !== null && into_account !== null) {
        const closed = await closeAccount(ctx, tx, account, into_account, kind, merge_id)
        remembered_account = closed.remembered
        moved = { ...closed.moved }
      }
      await writeRecord(tx, kind, kept, merged, fields)
      const followed = kind === 'user' ? { moved: {}, remembered: {} } : await moveOf(ctx, tx, kind, merge_id, keep_id)
      const facts: Facts = {
        record: kind,
        kept: shown(kept),
        merged: shown(merged),
        account: account === null || into_account === null ? null : { from: account, into: into_account },
        remembered: followed.remembered,
        remembered_account,
      }
      await sql`update operations set facts = ${JSON.stringify(facts)}::jsonb, expires_at = now() + make_interval(days => ${UNDO_DAYS})
        where id = ${operation}`.execute(tx)
      await forgetSeen(tx, [kept.account_id, merged.account_id])
      await tell(ctx, tx, kept, merged, account)
      return { result: null, counts: { merged: 1, ...moved, ...followed.moved } }
    },
  )
  return { data: { id: keep_id, operation_id: operation_id! } }
})

/** Both records and their accounts, held in one order: whoever comes second sees what the first has done. */
async function holdBoth(tx: Tx, kind: MergeKind, keep_id: number, merge_id: number): Promise<void> {
  const ids = sql`any(${[keep_id, merge_id]}::int[])`
  // Requests of students take their turn first, and refer to the student then.
  if (kind === 'student')
    await sql`update registration_turns set turn = turn + 1 where student_id in (
      select student_id from registration_turns where student_id = ${ids} order by 1 for no key update)`.execute(tx)
  if (kind !== 'user') {
    const { rows } = await sql<{ user_id: number | null }>`select user_id from ${name(TABLES[kind])} where id = ${ids}
      order by id for update`.execute(tx)
    const accounts = rows.flatMap((row) => row.user_id ?? [])
    await sql`select from users where id = any(${accounts}::int[]) order by id for update`.execute(tx)
  } else await sql`select from users where id = ${ids} order by id for update`.execute(tx)
}

/** From here on who asks for the one gets the other, also for those that went into it before. */
async function into(tx: Tx, kind: MergeKind, from_id: number, into_id: number): Promise<void> {
  await sql`update merged_records set into_id = ${into_id} where kind = ${kind} and into_id = ${from_id}`.execute(tx)
  await sql`insert into merged_records (kind, from_id, into_id) values (${kind}, ${from_id}, ${into_id})`.execute(tx)
}

/** Closes an account for another: nobody comes in by it any more, and what belongs to the person follows. */
async function closeAccount(ctx: Ctx, tx: Tx, from: number, to: number, kind: MergeKind, merge_id: number) {
  if (kind !== 'user') await into(tx, 'user', from, to)
  await endWaysIn(tx, from)
  await sql`update delegations set ended_at = now() where ended_at is null and ${from}::int in (from_user_id, to_user_id)`.execute(
    tx,
  )
  await sql`update users set removed_at = now() where id = ${from}`.execute(tx)
  const followed = await moveRows(tx, 'user', from, to, kind === 'user' ? [] : [`${TABLES[kind]}.user_id`])
  // Records of the person in other programs are those of the account that stays.
  if (kind === 'student') {
    const { numAffectedRows } = await sql`update students set user_id = ${to}
      where user_id = ${from} and id <> ${merge_id} and removed_at is null`.execute(tx)
    if (numAffectedRows) followed.moved.student_record = Number(numAffectedRows)
  }
  // An account bears the name of its record, and all records of a person bear one.
  const names = sql.join(
    CHOICES.user.filter((one) => one.name.startsWith('name')).flatMap((one) => one.columns.map(name)),
  )
  for (const table of ['students', 'instructors'])
    if (followed.moved[table === 'students' ? 'student_record' : 'instructor_record'])
      await sql`update users set (${names}) = (select ${names} from ${name(table)}
        where user_id = ${to} and removed_at is null order by id limit 1) where id = ${to}`.execute(tx)
  for (const table of ['students', 'instructors'])
    await sql`update ${name(table)} t set (${names}) = (select ${names} from users where id = ${to})
      where t.user_id = ${to} and t.removed_at is null
        and exists (select from users x where x.id = ${to} and (x.name, x.name_local) is distinct from (t.name, t.name_local))`.execute(
      tx,
    )
  await ctx.services.security.write(
    ctx,
    { kind: 'session_ended', subject_id: from, data: { by: 'merge', into: to } },
    tx,
  )
  return followed
}

/** The record that goes is removed, and gives what was chosen of it to the one that stays. */
async function writeRecord(
  tx: Tx,
  kind: MergeKind,
  kept: MergeFacts,
  merged: MergeFacts,
  fields: readonly Judged[],
): Promise<void> {
  const table = name(TABLES[kind])
  const taken = fields.filter((field) => field.side === 'merged')
  const columns = taken.flatMap((one) => one.choice.columns)
  const takes = kind !== 'user' && kept.account_id === null && merged.account_id !== null
  const { rows } = await sql<{
    row: Record<string, unknown>
  }>`select to_jsonb(t) as row from ${table} t where id = ${merged.id}`.execute(tx)
  const values = Object.fromEntries(columns.map((column) => [column, firstRow(rows).row[column]]))
  if (takes) values.user_id = merged.account_id
  // What may be one person's only is let go first.
  const alone = [
    ...(columns.includes('national_id') && kind === 'student' ? ['national_id'] : []),
    ...(takes ? ['user_id'] : []),
  ]
  await sql`update ${table} set removed_at = now() ${sql.join(
    alone.map((column) => sql`, ${name(column)} = null`),
    sql``,
  )} where id = ${merged.id} and removed_at is null`.execute(tx)
  const set = Object.keys(values)
  if (set.length)
    await sql`update ${table} t set ${sql.join(set.map((column) => sql`${name(column)} = x.${name(column)}`))}
      from jsonb_populate_record(null::${table}, ${JSON.stringify(values)}::jsonb) x where t.id = ${kept.id}`.execute(
      tx,
    )
  // Whoever looks at it is told that it has changed.
  else await sql`update ${table} set version = version where id = ${kept.id}`.execute(tx)
  // Two records of one person named each other: nobody is the own manager.
  for (const { choice } of fields.filter((field) => tableNamed(field.choice) === TABLES[kind])) {
    await sql`update ${table} set ${name(choice.name)} = null
      where id = ${kept.id} and ${name(choice.name)} = any(${[kept.id, merged.id]}::int[])`.execute(tx)
  }
}

/** What refers to the record follows; of a student, what is computed from it is computed again. */
async function moveOf(ctx: Ctx, tx: Tx, kind: 'student' | 'instructor', from: number, to: number) {
  if (kind === 'instructor') return moveRows(tx, kind, from, to)
  // Nobody waits twice, or for what he or she has.
  await sql`update wait_list w set state = 'left', moved_at = now() from offerings o
    where o.id = w.offering_id and w.student_id = ${from} and w.state = 'waiting' and (
      exists (select from wait_list k where k.student_id = ${to} and k.offering_id = w.offering_id and k.state = 'waiting')
      or exists (select from registrations r where r.student_id = ${to} and r.term_id = o.term_id and r.course_id = o.course_id))`.execute(
    tx,
  )
  await actOn(tx, 'load')
  const followed = await moveRows(tx, kind, from, to)
  await actOn(tx, null)
  if (followed.moved.registrations || followed.moved.terms) {
    await sql`select revise_terms(array_agg(t.student_id), array_agg(t.term_id), array_agg(false)) from student_terms t
      where t.student_id = ${to} and exists (select from registrations r where r.student_id = t.student_id and r.term_id = t.term_id)`.execute(
      tx,
    )
    await followRecords(ctx, tx, [to])
    await actOn(tx, null)
  }
  return followed
}

/** Whose record an account bears is kept with its rights, in every process: it is read again. */
const forgetSeen = (tx: Tx, accounts: readonly (number | null)[]) =>
  sql`select pg_notify('rights_changed', id::text) from unnest(${accounts.filter((id) => id !== null)}::int[]) as id`.execute(
    tx,
  )

/** The person is told, at both addresses where there are two. */
async function tell(ctx: Ctx, tx: Tx, kept: MergeFacts, merged: MergeFacts, closed: number | null): Promise<void> {
  await notify(tx, [kept.account_id ?? merged.account_id], {
    key: 'merging.notice_merged',
    data: { kept: kept.code, merged: merged.code },
    link: '/profile',
  })
  if (closed !== null) await ctx.services.jobs.send(tx, tellClosed, { user_id: closed }, { actor: null })
}

/** Tells at the address of an account that it was closed, and in favour of which: nobody signs in there to read it. */
export const tellClosed = defineJob({
  name: 'tell-account-merged',
  retries: 5,
  async run(ctx, { user_id }: { user_id: number }) {
    const { rows } = await ctx.pool.query<{
      email: string | null
      language: 'ar' | 'en' | null
      name: string
      name_local: string
      into: string | null
    }>(
      `select u.email, u.language, u.name, u.name_local, k.email as into from users u
         join merged_records m on m.kind = 'user' and m.from_id = u.id join users k on k.id = m.into_id
       where u.id = $1`,
      [user_id],
    )
    const [row] = rows
    // It was taken back before the mail went, or there is nobody to write to.
    if (!row?.email) return
    const head = await universityHead(ctx)
    const local = (row.language ?? 'ar') === 'ar'
    await ctx.services.mail.send({
      to: row.email,
      lang: row.language,
      key: 'account_merged',
      data: {
        name: local ? row.name_local : row.name,
        university: local ? head.name_local : head.name,
        into: row.into ?? '–',
      },
    })
  },
})

const factsOf = ({ facts }: Operation): Facts => facts as unknown as Facts

/** Whether a merge may be taken back now, before anything is. */
async function beforeUndo(ctx: Ctx, tx: Tx, operation: Operation): Promise<void> {
  const { record, kept, merged } = factsOf(operation)
  await holdBoth(tx, record, kept.id, merged.id)
  const { rows } = await sql<{
    code: string | null
  }>`select coalesce(${record === 'user' ? sql`t.email` : sql`t.code`}, t.name) as code
    from merged_records m join ${name(TABLES[record])} t on t.id = m.into_id
    where m.kind = ${record} and m.from_id = ${kept.id}`.execute(tx)
  if (rows[0]) throw refuse(409, 'merge_merged_since', { who: kept.code ?? kept.name, into: rows[0].code })
  const both = await candidates(ctx, tx, record, kept.id, merged.id)
  const problems = mergeProblems(
    record,
    ...(both.map((one) => ({ ...one, removed: false, blocked: false, account_id: null })) as [MergeFacts, MergeFacts]),
    NO_COLLISIONS,
  )
  if (problems.length) throw new Refusal(409, problems)
  await actOn(tx, 'load')
}

/** All of it or nothing: half a record would be worse than a double one. */
async function afterUndo(ctx: Ctx, tx: Tx, operation: Operation): Promise<void> {
  await actOn(tx, null)
  const { record, merged, remembered, remembered_account, account, kept } = factsOf(operation)
  const { rows } = await sql<{ what: number }>`select (select count(*) from undo_kept)::int
    + (select count(*) from undo_rows where state = 'kept' and code is not null)::int as what`.execute(tx)
  if (firstRow(rows).what) throw refuse(409, 'merge_undo_stands', { count: firstRow(rows).what })
  await giveBack(tx, remembered, merged.id, kept.id)
  if (account) await giveBack(tx, remembered_account, account.from, account.into)
  await forgetSeen(tx, [...(await accountsOf(tx, record, kept.id)), ...(await accountsOf(tx, record, merged.id))])
  await notify(tx, await accountsOf(tx, record, kept.id), {
    key: 'merging.notice_unmerged',
    data: { kept: kept.code ?? kept.name, merged: merged.code ?? merged.name },
    link: '/profile',
  })
}

const accountsOf = async (tx: Tx, kind: MergeKind, id: number): Promise<(number | null)[]> => {
  if (kind === 'user') return [id]
  const { rows } = await sql<{
    user_id: number | null
  }>`select user_id from ${name(TABLES[kind])} where id = ${id}`.execute(tx)
  return rows.map((row) => row.user_id)
}

const LABELS = {
  student: ['Merged students', 'طلاب مدموجون'],
  instructor: ['Merged instructors', 'أعضاء هيئة تدريس مدموجون'],
  user: ['Merged accounts', 'حسابات مدموجة'],
} as const
for (const kind of MERGE_KINDS)
  registerOperation({
    kind: `merge/${kind}`,
    label: LABELS[kind],
    permission: 'merge_people',
    reach: { table: TABLES[kind], where: (ctx) => mergeReach(ctx, kind) },
    before: beforeUndo,
    after: afterUndo,
  })

export const recordMergeHandlers: readonly Handled[] = [
  handle(mergeCalls.previewMerge, async (ctx, { body }) => ({ data: await previewOf(ctx, body) })),
  merge,
]
