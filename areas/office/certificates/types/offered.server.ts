/** Which types there are, for whom, and what stands against asking for one now. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { ASKER_STATUS, type Asker } from '#areas/money/ledger/askers.server.ts'
import { workerReach } from '#areas/money/ledger/others.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { renderPdf } from '#kit/server/documents/index.ts'
import type { PreparedPaper } from '#kit/server/papers/papers.ts'
import { qrImage } from '#kit/server/papers/qr.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { dayOf } from '#kit/contract/day.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { prepareText } from '#areas/records/students/transcript/certificate.server.ts'
import { sql } from 'kysely'
import { CERTIFICATE_ASKS, certificateAskerFor } from '../requests/asker.server.ts'
import { prepareStaffText } from '../requests/staff-text.server.ts'
import { audienceOf, checkOffered, typeIsFor, type AskerFacts, type TypeFacts } from '../requests/certificate.rules.ts'
import { typeCalls, type CertificateWording, type OfferedType } from './type.contract.ts'

interface Type extends TypeFacts {
  readonly id: number
  readonly days_normal: number
  readonly days_urgent: number | null
}
/** SQL of a type `y`, as far as it decides who may ask. */
export const OFFERED_TYPE = `y.id, y.is_active as active, y.for_students, y.for_graduates, y.for_staff, y.min_level, y.needs_photo, y.most_copies,
  y.days_urgent is not null as urgent, y.days_normal, y.days_urgent,
  array_remove(array[case when y.by_hand then 'by_hand' end, case when y.by_mail then 'by_mail' end,
    case when y.electronic then 'electronic' end], null) as deliveries,
  (not exists (select from certificate_dates d where d.type_id = y.id and d.removed_at is null)
    or exists (select from certificate_dates d where d.type_id = y.id and d.removed_at is null
      and university_today() between d.from_date and d.until_date)) as open,
  (select min(d.from_date) from certificate_dates d where d.type_id = y.id and d.removed_at is null
    and d.from_date > university_today()) as opens_on`

/** A type as it stands, held so that it is not changed while somebody asks; undefined: there is none. */
export async function certificateTypeOf(tx: Tx, id: number): Promise<Type | undefined> {
  const { rows } = await sql<Type>`select ${sql.raw(OFFERED_TYPE)} from certificate_settings y
    where y.id = ${id} and y.removed_at is null for share of y`.execute(tx)
  return rows[0]
}

/** SQL of who asks, as far as it decides what may be asked for: the student is `s`, the account `w`, the type `y`. Debts hold students alone. */
const ASKER = `${ASKER_STATUS} as status, coalesce(s.level, 0) as level,
  coalesce((select u.photo_file_id is not null from users u where u.id = coalesce(s.user_id, w.id)), false) as photo,
  coalesce(certificates_held(s.id), false) as held,
  exists (select from certificates c where (c.student_id = s.id or c.staff_id = w.id) and c.type_id = y.id
    and c.removed_at is null and c.status not in ('Delivered', 'Delivered By Mail', 'Delivered By Manual', 'Rejected', 'cancelled'))
    as asked_already`

export async function askerOf(tx: Tx, { student_id, staff_id }: Asker, type_id: number): Promise<AskerFacts> {
  const { rows } = await sql<AskerFacts>`select ${sql.raw(ASKER)} from certificate_settings y
      left join students s on s.id = ${student_id}::int left join users w on w.id = ${staff_id}::int
    where y.id = ${type_id}`.execute(tx)
  return firstRow(rows)
}

interface Row {
  type: Type & { readonly name: string; readonly name_local: string; readonly code: string } & Pick<
      OfferedType,
      'document'
    >
  who: AskerFacts
  usd: boolean
  prices: {
    audience: string
    speed: 'normal' | 'urgent'
    value_local: number
    value_usd: number
    copy_local: number
    copy_usd: number
  }[]
  signers: OfferedType['signers']
}
/** Every type that somebody is offered, with its price for this person, and why not now. */
async function offered(ctx: Ctx, db: Db, { student_id, staff_id }: Asker): Promise<OfferedType[]> {
  const { rows } = await sql<Row>`
    select (select to_json(x) from (select ${sql.raw(OFFERED_TYPE)}, y.code, y.name, y.name_local, y.document) x) as type,
      (select to_json(x) from (select ${sql.raw(ASKER)}) x) as who,
      coalesce((select n.currency from nationality_groups n where n.id = nationality_group_of(s.nationality_id)), 'EGP') <> 'EGP' as usd,
      coalesce((select json_agg(json_build_object('audience', p.audience, 'speed', p.speed, 'value_local', p.value_local,
          'value_usd', p.value_usd, 'copy_local', p.copy_local, 'copy_usd', p.copy_usd) order by p.speed)
        from certificate_setting_prices p where p.type_id = y.id), '[]') as prices,
      coalesce((select json_agg(${ref('p')} order by g.position) from certificate_setting_signers g join signatory_positions p on p.id = g.position_id
        where g.type_id = y.id), '[]') as signers
    from certificate_settings y
      left join students s on s.id = ${student_id}::int and s.removed_at is null and ${scopeCondition(ctx, 'add_certificate', studentReach(ctx, 's'))}
      left join users w on w.id = ${staff_id}::int and w.removed_at is null and w.type in (1, 2)
        and ${scopeCondition(ctx, CERTIFICATE_ASKS, workerReach(ctx, 'w'))}
    where (s.id is not null or w.id is not null) and y.removed_at is null and y.is_active order by y.code`.execute(db)
  return rows.flatMap(({ type, who, usd, prices, signers }) => {
    const audience = audienceOf(who.status)
    if (audience === null || !typeIsFor(type, audience)) return []
    const priced = (speed: 'normal' | 'urgent', days: number) => {
      const found = prices.find((one) => one.audience === audience && one.speed === speed)
      return {
        speed,
        days,
        amount: (usd ? found?.value_usd : found?.value_local) ?? 0,
        copy: (usd ? found?.copy_usd : found?.copy_local) ?? 0,
        currency: usd ? ('USD' as const) : ('EGP' as const),
      }
    }
    return [
      {
        id: type.id,
        code: type.code,
        name: type.name,
        name_local: type.name_local,
        document: type.document,
        audience,
        deliveries: [...type.deliveries] as OfferedType['deliveries'],
        most_copies: type.most_copies,
        prices: [
          priced('normal', type.days_normal),
          ...(type.days_urgent === null ? [] : [priced('urgent', type.days_urgent)]),
        ],
        signers,
        refused: checkOffered(type, who).map(toProblem),
      },
    ]
  })
}

/** A text as it stands on the paper of somebody within reach: of a student, or of who works here. @throws {Refusal} 422 */
async function previewOf(
  ctx: Ctx,
  {
    student_id,
    staff_id,
    lang,
    ...said
  }: { student_id?: number | undefined; staff_id?: number | undefined; lang: 'ar' | 'en'; title: string; text: string },
): Promise<Pick<PreparedPaper, 'compose'>> {
  const wording = { title: { name: said.title, name_local: said.title }, text: said.text, signatures: [], days: null }
  const program = asSystem(ctx.services, 'Preview', ctx.lang)
  const field = staff_id === undefined ? 'student_id' : 'staff_id'
  const { rows } =
    staff_id === undefined
      ? await sql`select from students s where s.id = ${student_id ?? null}::int and s.removed_at is null
          and ${scopeCondition(ctx, 'show_students', studentReach(ctx, 's'))}`.execute(ctx.db)
      : await sql`select from users w where w.id = ${staff_id} and w.removed_at is null and w.type in (1, 2)
          and ${scopeCondition(ctx, ['show_employee', 'show_instructor'], workerReach(ctx, 'w'))}`.execute(ctx.db)
  if (!rows.length) throw refuse(422, 'reference_missing', undefined, field)
  return staff_id === undefined
    ? prepareText(program, student_id ?? 0, lang, wording)
    : prepareStaffText(program, staff_id, lang, wording)
}

export const offeredHandlers: readonly Handled[] = [
  handle(typeCalls.offered, async (ctx, { query }) => {
    const asker = certificateAskerFor(ctx, query)
    if (asker.student_id === null && asker.staff_id === null) return { data: [] }
    return { data: await offered(ctx, ctx.db, asker) }
  }),
  handle(typeCalls.versions, async (ctx, { params }) => {
    const { rows } = await sql<CertificateWording>`
      select w.id, (row_number() over (order by w.id))::int as number, w.body, w.body_local, w.created_at,
        (select ${ref('u')} from users u where u.id = w.created_by) as created_by,
        (select count(*)::int from certificates c where c.text_id = w.id) as used
      from certificate_setting_texts w join certificate_settings y on y.id = w.type_id and y.removed_at is null
      where w.type_id = ${params.id} order by w.id desc`.execute(ctx.db)
    return { data: rows }
  }),
  handle(typeCalls.preview, async (ctx, { body }) => {
    const { compose } = await previewOf(ctx, body)
    const page = compose({ serial: '–', qr: 'qr.svg', code: '' }, { at: new Date(), on: dayOf() })
    return {
      type: 'pdf' as const,
      name: 'Preview.pdf',
      content: await renderPdf({
        ...page,
        archive: false,
        files: { ...page.files, 'qr.svg': qrImage(ctx.services.config.publicUrl) },
      }),
    }
  }),
]
