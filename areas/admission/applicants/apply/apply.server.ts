/** Applying: an address is verified, an application begun, written, handed in. Nobody here has an account. */
import { sql } from 'kysely'
import type { ResponseOf } from '#kit/contract/call.ts'
import { inputSchema } from '#kit/contract/resource.ts'
import { reasonsOfZod } from '#kit/contract/issues.ts'
import { dayOf } from '#kit/contract/day.ts'
import { firstRow } from '#db/rows.ts'
import type { Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { mailedCodes, sealKey, unsealKey } from '#kit/server/mail/code-by-mail.ts'
import { addressOfTicket } from '#kit/server/identity/mailed-code.ts'
import { makePuzzle } from '#kit/server/identity/puzzle.ts'
import { newToken } from '#kit/server/identity/sessions.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asProgram } from '#kit/server/unit/request.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { series, type Language } from '#kit/contract/index.ts'
import { applicantTypeOf } from '#areas/admission/admissions/words.contract.ts'
import { admissionState } from '#areas/admission/admissions/admissions/admission.server.ts'
import { applicant } from '../applicant/applicant.contract.ts'
import { applicants } from '../applicant/applicant.server.ts'
import { applicantWorkflow } from '../applicant/flow.server.ts'
import type { ApplicationTab } from '../words.contract.ts'
import { applyCalls as calls, type OfferedProgram } from './apply.contract.ts'
import { checkApplicationTab } from './application.rules.ts'
import { limitKeys, refuseClosed, withKey } from './key.server.ts'
import { lookupLists } from './lookups.server.ts'
import { limitNominations, takeUpNomination } from './nominated.server.ts'
import {
  WRITTEN,
  documentsAsked,
  factsOfApplication,
  keepRequirePayment,
  openAdmissions,
  openApplication,
  showApplication,
  type OpenedApplication,
  tabsOfApplication,
  titleOfTab,
} from './read.server.ts'
import { applicationPaperHandlers } from './application-paper.server.ts'
import { applicationUploadHandlers } from './upload.server.ts'

type Verified = ResponseOf<typeof calls.verifyEmail>['data']

/** Numbers of applications. */
export const applicationNumbers = series('application', { per: 'year', format: 'A-{period}-{n}' })

/** Codes that are sent to an address before an application is begun or opened. */
const codes = mailedCodes({ what: 'application code', job: 'send-application-code', mail: 'application_code' })
export const sendApplicationCode = codes.job

/** The key of an application waits sealed for the job that writes it into a mail: nobody who reads the jobs can use it. */
const KEY_SEAL = 'application key'
async function sendLink(ctx: Ctx, tx: Tx, id: number, key: string, done: boolean): Promise<void> {
  const sealed = await sealKey(ctx, KEY_SEAL, id, key)
  await ctx.services.jobs.send(tx, sendApplicationLink, { id, sealed, done }, { actor: null })
}

/** Sends the link by which an application is opened on any device. */
export const sendApplicationLink = defineJob({
  name: 'send-application-link',
  retries: 5,
  async run(ctx, { id, sealed, done }: { id: number; sealed: string; done: boolean }) {
    const { rows } = await sql<{
      email: string
      language: Language
      code: string
      type: number
      name: string
      name_local: string
    }>`
      select t.email, t.language, t.code, a.applicant_type as type, a.name, a.name_local
      from applicants t join admissions a on a.id = t.admission_id where t.id = ${id}`.execute(ctx.db)
    const [to] = rows
    if (!to) return
    const key = await unsealKey(ctx, KEY_SEAL, id, sealed)
    const head = await universityHead(ctx)
    const arabic = to.language === 'ar'
    await ctx.services.mail.send({
      to: to.email,
      lang: to.language,
      key: done ? 'application_received' : 'application_link',
      data: {
        number: to.code,
        admission: arabic ? to.name_local : to.name,
        university: arabic ? head.name_local : head.name,
        link: `${ctx.services.config.publicUrl}/applicants/edit/${to.type}/${id}/${key}`,
      },
    })
  },
})

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
/** Child rows travel without their ids: an application sends a list as it shall be. */
const plain = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((row) => ({ ...(row as object), id: undefined })) : value

async function saveValues(
  program: Ctx,
  tx: Tx,
  { id, nominated }: Pick<OpenedApplication, 'id' | 'nominated'>,
  values: Readonly<Record<string, unknown>>,
  was: Readonly<Record<string, unknown>> | undefined,
): Promise<void> {
  const strange = Object.keys(values).filter((name) => !WRITTEN.has(name))
  if (strange.length)
    throw new Refusal(
      422,
      strange.map((field) => ({ field, code: 'unknown_field' })),
    )
  const kept = Object.keys(values).filter((name) => nominated?.fields.includes(name))
  if (kept.length)
    throw new Refusal(
      409,
      kept.map((field) => ({ field, code: 'application_of_ministry' })),
    )
  const read = inputSchema(applicant, 'update').safeParse(values)
  if (!read.success) throw new Refusal(422, reasonsOfZod(read.error))
  const [stored] = await applicants.stored(tx, [id])
  if (was && stored) {
    // Another tab or device wrote something else meanwhile: it is not lost without a word.
    const changed = Object.keys(values).filter(
      (name) => name in was && !same(was[name], plain(stored[name])) && !same(values[name], plain(stored[name])),
    )
    if (changed.length)
      throw new Refusal(
        409,
        changed.map((field) => ({ field, code: 'application_written_elsewhere' })),
      )
  }
  await applicants.update(program, tx, id, read.data as Record<string, unknown>)
}

/** Every reason why an application cannot be handed in: by tab, so that whoever applies finds it. */
async function refuseUnfinished(opened: Awaited<ReturnType<typeof openApplication>>, tx: Tx): Promise<void> {
  const [stored] = await applicants.stored(tx, [opened.id])
  const facts = await factsOfApplication(tx, opened, stored ?? {}, await documentsAsked(tx, opened.id))
  const reasons: Reason[] = tabsOfApplication(opened).flatMap((tab: ApplicationTab) =>
    tab !== 'payment' && checkApplicationTab(tab, opened.admission.type, facts).length
      ? [{ field: tab, code: 'application_tab_open', data: titleOfTab(tab) }]
      : [],
  )
  if (reasons.length) throw new Refusal(422, reasons)
  // What is complete still waits for the fee.
  const unpaid = checkApplicationTab('payment', opened.admission.type, facts)
  if (unpaid.length) throw new Refusal(409, unpaid)
}

const data = handle(calls.data, async (ctx, { query: { admission_id } }) => {
  const admissions = await openAdmissions(ctx.db)
  const { rows: programs } =
    admission_id === undefined
      ? { rows: [] }
      : await sql<OfferedProgram>`select x.id, json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'name_local', p.name_local) as program,
          json_build_object('id', f.id, 'code', f.code, 'name', f.name, 'name_local', f.name_local) as faculty,
          x.capacity, x.min_percentage::text, x.last_cut_off::text, x.gender::int, x.certificates,
          coalesce((select json_agg(json_build_object('subject', json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local),
            'min_percentage', s.min_percentage::text) order by s.position) from admission_program_subjects s
            join certificate_subjects c on c.id = s.certificate_subject_id where s.admission_program_id = x.id), '[]') as subjects
        from admission_programs x join programs p on p.id = x.program_id join faculties f on f.id = p.faculty_id
          join admissions a on a.id = x.admission_id and a.removed_at is null
        where x.admission_id = ${admission_id} and x.is_open and x.removed_at is null order by f.name, p.name`.execute(
          ctx.db,
        )
  return { data: { today: dayOf(), admissions, programs } }
})

const needTraining = handle(calls.needTraining, async (ctx, { params: { type, id } }) => {
  const { rows } = await sql<{
    weeks: number | null
  }>`select max(coalesce(p.min_training_weeks, b.min_training_weeks))::int as weeks
    from admission_programs x join admissions a on a.id = x.admission_id and a.removed_at is null and a.applicant_type = ${type}
      and ${sql.raw(admissionState('a'))} <> 'closed'
    join programs p on p.id = x.program_id and p.faculty_id = ${id} join bylaws b on b.id = p.bylaw_id
    where x.removed_at is null and x.is_open`.execute(ctx.db)
  const { weeks } = firstRow(rows)
  return { data: { need_training: Boolean(weeks), weeks: weeks || null } }
})

const askCode = handle(calls.askCode, async (ctx, { body }) => {
  await codes.ask(ctx, body)
  return { data: null }
})

const verifyEmail = handle(calls.verifyEmail, async (ctx, { body: { email, code } }) => {
  const ticket = await codes.verify(ctx, email, code)
  const { rows } = await sql<
    Verified['applications'][number]
  >`select t.id, t.code, a.applicant_type as type, t.status, t.admission_id,
      json_build_object('id', a.id, 'code', a.code, 'name', a.name, 'name_local', a.name_local) as admission
    from applicants t join admissions a on a.id = t.admission_id
    where t.email = ${email} and t.removed_at is null order by t.id desc`.execute(ctx.db)
  return { data: { ticket, applications: rows } }
})

/** Whoever applied with two addresses goes on with the application that stayed: which one that is, is told. */
async function refuseMerged(tx: Tx, admission_id: number, email: string): Promise<void> {
  const { rows } = await sql<{
    number: string
  }>`select o.code as number from applicants t join applicants o on o.id = t.merged_into_id
    where t.admission_id = ${admission_id} and t.email = ${email} and t.removed_at is null and o.status <> 'CANCELLED'
    order by t.id desc limit 1`.execute(tx)
  if (rows[0]) throw refuse(409, 'application_merged', { number: rows[0].number })
}

const apply = handle(calls.apply, async (ctx, { body: { ticket, admission_id, language, nomination } }) => {
  const email = await addressOfTicket(ctx, ticket)
  const right = nomination && (await limitNominations(ctx, email))
  const { token: key, hash } = newToken()
  const answer = await asProgram(ctx, `application of a verified address`).write(async (tx) => {
    // Of two who begin with one address at the same moment, the second goes on with what the first began.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`application ${admission_id} ${email}`}, 25))`.execute(tx)
    const { rows } = await sql<{
      type: number
      state: string
    }>`select a.applicant_type as type, ${sql.raw(admissionState('a'))} as state
      from admissions a where a.id = ${admission_id} and a.removed_at is null for share`.execute(tx)
    const [admission] = rows
    if (admission && nomination) {
      if (admission.state !== 'open')
        throw refuse(409, admission.state === 'planned' ? 'application_not_yet' : 'application_over')
      const taken = await takeUpNomination(tx, { admission_id, email, language, hash, ...nomination })
      await sendLink(ctx, tx, taken, key, false)
      return { data: { id: taken, type: applicantTypeOf(admission.type), key } }
    }
    const { rows: begun } = await sql<{ id: number }>`update applicants set key_hash = ${hash}, language = ${language}
      where admission_id = ${admission_id} and email = ${email} and removed_at is null and status <> 'CANCELLED' returning id`.execute(
      tx,
    )
    let id = begun[0]?.id
    if (!admission) throw refuse(422, 'not_found', {}, 'admission_id')
    if (id === undefined) {
      await refuseMerged(tx, admission_id, email)
      if (admission.state !== 'open')
        throw refuse(409, admission.state === 'planned' ? 'application_not_yet' : 'application_over')
      const { text } = await takeSerial(tx, applicationNumbers)
      const { rows: made } = await sql<{
        id: number
      }>`insert into applicants (code, admission_id, email, language, key_hash)
        values (${text}, ${admission_id}, ${email}, ${language}, ${hash}) returning id`.execute(tx)
      id = firstRow(made).id
      await keepRequirePayment(tx, id)
    }
    await sendLink(ctx, tx, id, key, false)
    return { data: { id, type: applicantTypeOf(admission.type), key } }
  })
  await right?.()
  return answer
})

const save = handle(calls.save, (ctx, { params, body: { values, was, declared, submit } }) =>
  withKey(ctx, params, async (opened, program, tx) => {
    refuseClosed(opened)
    if (values && Object.keys(values).length) await saveValues(program, tx, opened, values, was)
    await keepRequirePayment(tx, opened.id)
    if (declared !== undefined)
      await sql`update applicants set declared_at = ${declared ? sql`now()` : null}, declared = ${
        declared
          ? sql`(select jsonb_agg(jsonb_build_object('text', d.text, 'text_local', d.text_local) order by d.position)
              from admission_declarations d where d.admission_id = ${opened.admission.id})`
          : null
      } where id = ${opened.id}`.execute(tx)
    if (submit) {
      await refuseUnfinished(await openApplication(tx, opened.id, params.key), tx)
      const to = opened.status === 'FEEDBACK' ? 'UPDATED' : 'SUBMITTED'
      await sql`update applicants set status = ${to}, submitted_at = coalesce(submitted_at, now()) where id = ${opened.id}`.execute(
        tx,
      )
      await sql`update applicant_comments set settled_at = now() where applicant_id = ${opened.id} and settled_at is null`.execute(
        tx,
      )
      await applicantWorkflow.begin(program, tx, opened.id, to, { action: 'submit' })
      await sendLink(ctx, tx, opened.id, params.key, true)
    }
    return { data: await showApplication(program, tx, await openApplication(tx, opened.id, params.key)) }
  }),
)

const read = handle(calls.read, async (ctx, { params }) => {
  const right = await limitKeys(ctx)
  const opened = await openApplication(ctx.db, params.id, params.key)
  await right()
  return { data: await showApplication(ctx, ctx.db, opened) }
})

export const applyHandlers: readonly Handled[] = [
  data,
  handle(calls.lookups, async (ctx) => ({ data: await lookupLists(ctx) })),
  handle(calls.lookup, async (ctx, { params: { x } }) => ({ data: await lookupLists(ctx, x) })),
  needTraining,
  handle(calls.puzzle, async (ctx) => ({ data: await makePuzzle(ctx) })),
  askCode,
  verifyEmail,
  apply,
  read,
  save,
  ...applicationUploadHandlers,
  ...applicationPaperHandlers,
]
