import { sql } from 'kysely'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { refuse, Refusal } from '#kit/server/base/errors.ts'
import { ref } from '#kit/server/base/sql.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { servePapers } from '#kit/server/papers/papers.ts'
import { workerReach } from '#areas/money/ledger/others.server.ts'
import { staffPapers } from './requests/paper.contract.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { certificatesArea } from './certificates.contract.ts'
import { certificatesTold } from './certificates.told.contract.ts'
import { certificateDate, dateCalls } from './dates/date.contract.ts'
import { externalAnswers } from './external/answer.server.ts'
import { askIssuerJob } from './external/ask.server.ts'
import { externalClock } from './external/clock.server.ts'
import { externals } from './external/external.server.ts'
import { paperIssuer } from './external/issuer.contract.ts'
import { nameChanges } from './names/name-change.server.ts'
import { signingPosition } from './positions/position.contract.ts'
import { graduateAskHandlers } from './graduates/ask.server.ts'
import { graduateHandlers, graduateWork } from './graduates/graduate.server.ts'
import { graduateCodes, sendGraduateLink, sendGraduateNews } from './graduates/mail.server.ts'
import { letGraduateProofsGo } from './graduates/proofs.server.ts'
import { certificateHandlers, certificateManyJob, certificateWork } from './requests/certificate.server.ts'
import { handingHandlers } from './handing/handing.server.ts'
import { signatureHandlers } from './positions/signature.server.ts'
import { certificatesOnTheirWay, printedHandlers, withheldCertificates } from './requests/printed.server.ts'
import {
  AUDIENCES,
  DELIVERIES,
  DOCUMENTS,
  LANGUAGES,
  SPEEDS,
  certificateSetting,
  typeCalls,
} from './types/type.contract.ts'
import { certificateClock } from './turns/clock.server.ts'
import { offeredHandlers } from './types/offered.server.ts'
import { checkCertificateSetting } from './types/type.rules.ts'

const types = workings(certificateSetting, {
  beforeWrite: async (_ctx, _tx, merged) => {
    const reasons = checkCertificateSetting(merged as never)
    if (reasons.length) throw new Refusal(422, reasons)
    return {}
  },
})
const positions = workings(signingPosition, {})
const issuers = workings(paperIssuer, {})
const dates = workings(certificateDate, {
  lookups: ['type_id'],
  beforeWrite: async (_ctx, _tx, { from_date, until_date }) => {
    if (String(from_date) > String(until_date)) throw refuse(422, 'certificate_date_order', undefined, 'until_date')
    return {}
  },
})

/** Papers of who works here, reached by the faculty and department of the work. */
const papersOfStaff = servePapers(staffPapers, {
  table: 'users',
  scope: (ctx, access) =>
    sql`(t.removed_at is null and t.type in (1, 2) and ${scopeCondition(ctx, access, workerReach(ctx, 't'))})`,
  kinds: {},
})

const choices = (all: readonly { readonly value: string; readonly label: readonly [string, string] }[]) =>
  all.map(({ value, label: [name, name_local] }) => ({ value, name, name_local }))

/** The calls of types and dates at the paths of the documents: the same as those of the resources. */
const documented: readonly Handled[] = [
  types.at(typeCalls.list, 'list'),
  types.at(typeCalls.add, 'create'),
  types.at(typeCalls.change, 'update'),
  types.at(typeCalls.export, 'export'),
  dates.at(dateCalls.listDates, 'list'),
  dates.at(dateCalls.addDates, 'create'),
  dates.at(dateCalls.changeDates, 'update'),
  handle(typeCalls.lookups, async (ctx) => {
    const { rows } = await sql<{ position: { id: number; code: string; name: string; name_local: string } }>`
      select ${ref('p')} as position from signatory_positions p where p.removed_at is null order by p.code`.execute(
      ctx.db,
    )
    return {
      data: {
        documents: choices(DOCUMENTS),
        audiences: choices(AUDIENCES),
        speeds: choices(SPEEDS),
        deliveries: choices(DELIVERIES),
        languages: choices(LANGUAGES),
        positions: rows.map((row) => row.position),
      },
    }
  }),
  handle(dateCalls.datesOfType, async (ctx, { params }) => {
    const { rows } = await sql<{ open: boolean; dates: { id: number; from_date: string; until_date: string }[] }>`
      select count(d.id) = 0 or bool_or(university_today() between d.from_date and d.until_date) as open,
        coalesce(json_agg(json_build_object('id', d.id, 'from_date', d.from_date, 'until_date', d.until_date) order by d.from_date desc)
          filter (where d.id is not null), '[]') as dates
      from certificate_settings y left join certificate_dates d on d.type_id = y.id and d.removed_at is null
      where y.id = ${params.type} and y.removed_at is null group by y.id`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: rows[0] }
  }),
]

export const certificatesServer = defineAreaServer({
  area: certificatesArea,
  told: certificatesTold,
  handlers: [
    types.handlers,
    positions.handlers,
    dates.handlers,
    documented,
    offeredHandlers,
    certificateHandlers,
    printedHandlers,
    papersOfStaff,
    signatureHandlers,
    handingHandlers,
    nameChanges.handlers,
    issuers.handlers,
    externals.handlers,
    externalAnswers,
    graduateHandlers,
    graduateAskHandlers,
  ],
  hears: [certificatesOnTheirWay, withheldCertificates],
  jobs: [
    certificateManyJob,
    certificateClock,
    nameChanges.manyJob,
    externals.manyJob,
    externalClock,
    askIssuerJob,
    graduateCodes.job,
    sendGraduateLink,
    sendGraduateNews,
    letGraduateProofsGo,
  ],
  work: [certificateWork, nameChanges.work, graduateWork],
})
