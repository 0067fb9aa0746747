/** Documents of people: handed in, asked for, decided, and told of before they expire. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { Ref } from '#kit/contract/index.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { notify, notifyEach } from '#kit/server/mail/notifications.ts'
import { serveRequest } from '#kit/server/workflow/requests.ts'
import type { ServedRequest } from '#kit/server/workflow/requests.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import type { DocumentsOf, DocumentsOfPerson, GivenDocument } from './document.contract.ts'
import { checkAccepting, checkFile, checkHandingIn } from './document.rules.ts'
import type { DocumentFacts } from './document.rules.ts'

type State = GivenDocument['status']

/** What differs by whose documents they are. SQL speaks of the person as `s`. */
export interface Holding {
  /** The table of the people. */
  readonly people: string
  /** Which of its rows are people of this kind. */
  readonly are: RawBuilder<unknown>
  /** The account of a person. */
  readonly account: RawBuilder<unknown>
  readonly reach: (ctx: Ctx) => ScopeParts
  /** The record that who calls is. */
  readonly own: (ctx: Ctx) => number | null
  /** Kinds of documents that are theirs (`k`). */
  readonly kinds: RawBuilder<unknown>
  /** The kinds required of `s`, as `kind_id`, with whether they are lacking. */
  readonly required: RawBuilder<unknown>
  /** Who is told before documents expire. */
  readonly told: RawBuilder<unknown>
  /** Whether notices name the record, of who has several. */
  readonly names: boolean
}

/** Documents of people of one kind, as they are served. */
export interface ServedDocuments {
  readonly handlers: readonly Handled[]
  readonly work: ServedRequest['work']
  /** Ends what has expired, and tells who has what expires soon. */
  readonly expire: (ctx: Ctx) => Promise<{ told: number; expired: number }>
}

const nameOfKind = (column: string) => `(select k.${column} from document_kinds k where k.id = t.kind_id)`

/** Serves the documents of people of one kind. */
export function serveDocuments(of: DocumentsOf, here: Holding): ServedDocuments {
  const { document, calls, holder_id, add, show, decide, readers } = of
  const { ownPage } = of.holder
  const table = sql.table(document.table)
  const people = sql.table(here.people)
  const whose = sql.ref(holder_id)
  const wholeReach = (ctx: Ctx, right: PermissionKey | readonly PermissionKey[]) =>
    sql`${here.are} and ${scopeCondition(ctx, right, here.reach(ctx))}`

  const served = serveRequest(document, {
    // Who takes it in at the desk may look at it there and then.
    enteredByOfficer: true,
    told: { what: [nameOfKind('name'), nameOfKind('name_local')], link: ownPage },
    facts: async (ctx, tx, ids) => {
      const { rows } = await sql<Omit<DocumentFacts, 'today'> & { id: number }>`
        select d.id, d.file_id is not null as file, d.${whose} = ${here.own(ctx)}::int is true as own,
          k.expires as kind_expires, d.expires_on::text,
          exists (select from ${table} o where o.${whose} = d.${whose} and o.kind_id = d.kind_id and o.id <> d.id
            and o.removed_at is null and o.status in ('owed', 'handed_in', 'waived')) as newer
        from ${table} d join document_kinds k on k.id = d.kind_id where d.id = any(${[...ids]}::int[])`.execute(tx)
      const today = dayOf()
      return new Map(rows.map((row) => [row.id, { ...row, today }]))
    },
    effect: async (_ctx, tx, moved) => {
      // What was taken back is not looked at any more.
      const back = moved.flatMap(({ id, action }) => (action === 'take_back' ? id : []))
      if (back.length)
        await sql`update ${table} set file_id = null, number = null, expires_on = null
          where id = any(${back}::int[])`.execute(tx)
    },
  })

  /** The person as far as a right reaches, held until the end: of two who do something with the list the second sees the first. */
  async function lockPerson(ctx: Ctx, tx: Tx, id: number, right: PermissionKey): Promise<{ user_id: number | null }> {
    const { rows } = await sql<{ user_id: number | null }>`select ${here.account} as user_id from ${people} s
      where s.id = ${id} and s.removed_at is null and ${wholeReach(ctx, right)}
      for no key update of s`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    return rows[0]
  }

  /** The kind, and the document of it that is asked for, waits or is done without. */
  async function openOne(tx: Tx, person_id: number, kind_id: number) {
    const { rows } = await sql<{
      expires: boolean
      name: string
      name_local: string
      id: number | null
      status: State | null
      accepted: boolean
    }>`select k.expires, k.name, k.name_local, d.id, d.status, exists (select from ${table} a where a.${whose} = ${person_id}
          and a.kind_id = k.id and a.status = 'accepted' and a.removed_at is null) as accepted
      from document_kinds k left join ${table} d on d.kind_id = k.id and d.${whose} = ${person_id} and d.removed_at is null
        and d.status in ('owed', 'handed_in', 'waived')
      where k.id = ${kind_id} and k.removed_at is null and ${here.kinds}`.execute(tx)
    if (!rows[0]) throw refuse(422, 'reference_missing', {}, 'kind_id')
    return rows[0]
  }

  async function begun(ctx: Ctx, tx: Tx, person_id: number, kind_id: number, state: State, more: object = {}) {
    const columns = { asked: false, file_id: null, number: null, expires_on: null, ...more }
    const { rows } = await sql<{ id: number; version: number }>`
      insert into ${table} (${whose}, kind_id, status, asked, file_id, number, expires_on)
      values (${person_id}, ${kind_id}, ${state}, ${columns.asked}, ${columns.file_id}, ${columns.number}, ${columns.expires_on})
      returning id, version`.execute(tx)
    const [row] = rows as [{ id: number; version: number }]
    await served.flow.begin(ctx, tx, row.id, state)
    return { data: { ...row, status: state } }
  }

  const taken = async (ctx: Ctx, id: number, action: string, reason?: string) => {
    const { version, to } = await served.flow.take(ctx, id, action, { reason })
    return { data: { id, version, status: to as State } }
  }

  const handIn = handle(calls.handIn, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const person_id = whoIn(body, holder_id)
      const { kind_id, ...given } = body
      await lockPerson(ctx, tx, person_id, add)
      const open = await openOne(tx, person_id, kind_id)
      if (open.status === 'handed_in')
        throw refuse(409, 'document_waits', { kind: open.name, kind_local: open.name_local })
      const file_id = given.file_id ?? null
      const expires_on = given.expires_on ?? null
      const reasons = [
        ...checkHandingIn({ file: file_id !== null, own: person_id === here.own(ctx) }),
        ...(await fileReasons(ctx, tx, file_id)),
        ...checkAccepting({ kind_expires: open.expires, expires_on, today: dayOf() }),
      ]
      if (reasons.length) throw new Refusal(422, reasons)
      const number = given.number?.trim() || null
      if (open.id === null) return begun(ctx, tx, person_id, kind_id, 'handed_in', { file_id, number, expires_on })
      await sql`update ${table} set file_id = ${file_id}, number = ${number}, expires_on = ${expires_on}, created_at = now()
        where id = ${open.id}`.execute(tx)
      return taken(ctx, open.id, 'hand_in')
    }),
  )

  const ask = handle(calls.ask, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const person_id = whoIn(body, holder_id)
      const { user_id } = await lockPerson(ctx, tx, person_id, decide)
      const open = await openOne(tx, person_id, body.kind_id)
      const what = { kind: open.name, kind_local: open.name_local }
      if (open.status === 'handed_in') throw refuse(409, 'document_waits', what)
      if (open.status !== null) throw refuse(409, open.status === 'waived' ? 'document_waived' : 'document_asked', what)
      if (open.accepted) throw refuse(409, 'document_accepted', what)
      await notify(tx, [user_id], {
        key: 'documents.notice_asked',
        data: what,
        link: ownPage,
        ...(here.names && { records: [person_id] }),
      })
      return begun(ctx, tx, person_id, body.kind_id, 'owed', { asked: true })
    }),
  )

  const waive = handle(calls.waive, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const person_id = whoIn(body, holder_id)
      await lockPerson(ctx, tx, person_id, decide)
      const open = await openOne(tx, person_id, body.kind_id)
      const id = open.id ?? (await begun(ctx, tx, person_id, body.kind_id, 'owed')).data.id
      return taken(ctx, id, 'waive', body.reason)
    }),
  )

  const correct = handle(calls.correct, (ctx, { params: { id }, body: { version, ...given } }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{ status: State; version: number; number: string | null; expires_on: string | null }>`
        select t.status, t.version, t.number, t.expires_on::text from ${table} t join ${people} s on s.id = t.${whose}
        where t.id = ${id} and t.removed_at is null and ${wholeReach(ctx, decide)}
        for update of t`.execute(tx)
      const [row] = rows
      if (!row) throw refuse(404, 'not_found')
      if (row.status !== 'handed_in') throw refuse(409, 'document_decided')
      if (version !== undefined && version !== row.version)
        throw refuse(409, 'changed_meanwhile', { version: row.version })
      const next = { ...row, ...given }
      const { rows: kept } = await sql<{ version: number }>`update ${table}
        set number = ${next.number?.trim() || null}, expires_on = ${next.expires_on} where id = ${id} returning version`.execute(
        tx,
      )
      return { data: { id, version: kept[0]!.version, status: row.status } }
    }),
  )

  interface Row extends Omit<GivenDocument, 'file' | 'abilities'> {
    kind_id: number
    file: { id: number; name: string; size: number } | null
    step: Parameters<typeof served.flow.open>[2]
  }

  /** SQL: whether the reader opens the files of the person `s`. */
  const readsFiles = (ctx: Ctx): RawBuilder<unknown> =>
    sql`(${scopeCondition(
      ctx,
      readers.filter((reader) => reader !== 'self'),
      here.reach(ctx),
    )} or s.id = ${here.own(ctx)}::int is true)`

  /** What is required of a person, and what was handed in. */
  async function documentsOfPerson(ctx: Ctx, id: number): Promise<{ data: DocumentsOfPerson }> {
    const reach = (right: PermissionKey) => sql`coalesce(${scopeCondition(ctx, right, here.reach(ctx))}, false)`
    const { rows } = await sql<{
      may_hand_in: boolean
      may_decide: boolean
      reads_files: boolean
      kinds: { kind: Ref; required: boolean; lacking: boolean; expires: boolean; there: boolean }[]
      documents: Row[]
    }>`select ${reach(add)} as may_hand_in, ${reach(decide)} as may_decide,
        coalesce(${readsFiles(ctx)}, false) as reads_files,
        coalesce((select json_agg(json_build_object('kind', ${ref('k')}, 'required', q.kind_id is not null,
            'lacking', coalesce(q.lacking, false), 'expires', k.expires, 'there', k.removed_at is null and ${here.kinds})
            order by q.kind_id is null, k.code)
          from document_kinds k left join (${here.required}) q on q.kind_id = k.id), '[]') as kinds,
        coalesce((select json_agg(json_build_object('id', t.id, 'kind_id', t.kind_id, 'version', t.version, 'status', t.status, 'asked', t.asked,
            'expires_on', t.expires_on, 'number', t.number,
            'created_at', to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'file', case when f.id is not null then json_build_object('id', f.id, 'name', f.name, 'size', f.size) end,
            'reason', (select h.reason from step_history h where h.workflow = ${document.name} and h.record_id = t.id order by h.id desc limit 1),
            'step', ${served.flow.column(ctx)}) order by t.id desc)
          from ${table} t left join files f on f.id = t.file_id where t.${whose} = s.id and t.removed_at is null), '[]') as documents
      from ${people} s where s.id = ${id} and ${wholeReach(ctx, show)}`.execute(ctx.db)
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    const { kinds, documents, ...rest } = row
    const given = documents.map(({ step, file, ...one }) => ({
      ...one,
      number: rest.reads_files ? one.number : null,
      file: file && rest.reads_files ? { ...file, url: ctx.services.files.link(file, ctx.actor!) } : null,
      abilities: served.flow.open(ctx, one.status, step).abilities,
    }))
    const listed = kinds.map(({ there, ...one }) => ({
      ...one,
      there,
      // What was taken back and nobody asks for is none.
      documents: given
        .filter((one_) => one_.kind_id === one.kind.id && (one.required || one_.status !== 'owed'))
        .map(({ kind_id: _kind, ...one_ }) => one_),
    }))
    return {
      data: {
        ...rest,
        lacking: listed.some(({ lacking }) => lacking),
        holder_id: id,
        kinds: listed.filter((one) => one.required || one.documents.length > 0).map(({ there: _there, ...one }) => one),
        others: listed
          .filter((one) => one.there && !one.required && one.documents.length === 0)
          .map(({ kind, expires }) => ({ ...kind, expires })),
      },
    }
  }

  const own = handle(calls.own, (ctx) => {
    const id = here.own(ctx)
    if (!id) throw refuse(403, 'not_allowed')
    return documentsOfPerson(ctx, id)
  })

  return {
    work: served.work,
    handlers: [
      ...served.handlers,
      handle(calls.ofPerson, (ctx, { params }) => documentsOfPerson(ctx, params.id)),
      own,
      handIn,
      ask,
      waive,
      correct,
    ] satisfies readonly Handled[],
    expire: async (ctx) => {
      const { rows: over } = await sql<{ id: number }>`select id from ${table}
        where status = 'accepted' and removed_at is null and expires_on < university_today() order by id`.execute(
        ctx.db,
      )
      const { done } = await served.flow.takeEach(
        ctx,
        over.map(({ id }) => id),
        'expire',
      )
      const told = await ctx.write(async (tx) => {
        const { rows } = await sql<{
          user_id: number | null
          id: number
          kind: string
          kind_local: string
          day: string
        }>`
          update ${table} d set told_of = d.expires_on from document_kinds k, ${people} s
          where k.id = d.kind_id and s.id = d.${whose} and d.status = 'accepted' and d.removed_at is null
            and d.told_of is distinct from d.expires_on and d.expires_on - k.told_days <= university_today()
            and s.removed_at is null and ${here.told}
            -- One that is valid longer was accepted since.
            and not exists (select from ${table} o where o.${whose} = d.${whose} and o.kind_id = d.kind_id
              and o.status = 'accepted' and o.removed_at is null and o.expires_on > d.expires_on)
          returning ${here.account} as user_id, s.id, k.name as kind, k.name_local as kind_local, d.expires_on::text as day`.execute(
          tx,
        )
        await notifyEach(
          tx,
          rows.flatMap(({ user_id, id, ...data }) =>
            user_id === null
              ? []
              : [
                  {
                    user_id,
                    key: 'documents.notice_expires',
                    data,
                    link: ownPage,
                    ...(here.names && { records: [id] }),
                  },
                ],
          ),
        )
        return rows.length
      })
      return { told, expired: done.length }
    },
  }
}

/** Whose document is handed in or asked for: the body names the person as its holder is called (`employee_id`). */
const whoIn = (body: object, holder_id: string): number => (body as Readonly<Record<string, number>>)[holder_id]!

/** Why a file cannot be handed in: an id alone would open that of another person. */
async function fileReasons(ctx: Ctx, tx: Tx, file_id: number | null): Promise<Reason[]> {
  if (file_id === null) return []
  const { rows } = await sql<{ ext: string; size: number }>`
    select ext, size from files where id = ${file_id} and created_by = ${ctx.actor?.user_id ?? null}`.execute(tx)
  return rows[0] ? checkFile(rows[0]) : [{ field: 'file_id', code: 'reference_missing' }]
}
