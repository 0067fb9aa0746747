/** The repository as harvesters ask for it: OAI-PMH 2.0 at /api/oai. */
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { universityHead } from '#kit/server/base/university.ts'
import type { Protocol, ProtocolAnswer } from '#kit/server/http/protocols.ts'
import { sql } from 'kysely'
import {
  dublinCore,
  OAI_PREFIX,
  readOai,
  setSpec,
  writeToken,
  xml,
  type OaiAsked,
  type OaiError,
  type OaiRecord,
} from './oai-request.server.ts'

/** Records of one answer. */
const TOGETHER = 100
const DC = 'http://www.openarchives.org/OAI/2.0/oai_dc/'
const DC_SCHEMA = 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd'
const STAMP = sql.raw(`to_char(d.stamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`)

interface Place {
  readonly url: string
  readonly host: string
  readonly publisher: string
}
async function placeOf(ctx: Ctx): Promise<Place> {
  const url = ctx.services.config.publicUrl.replace(/\/$/, '')
  return { url, host: new URL(url).hostname, publisher: (await universityHead(ctx)).name }
}
const idOf = (place: Place, handle: string) => `oai:${place.host}:${handle}`
const RECORD = sql`d.id, d.handle, ${STAMP} as stamp, d.faculty_id, d.withdrawn_at is not null as deleted, d.title, d.title_local, d.creator, d.creator_local,
  d.contributors, d.abstract, d.abstract_local, d.keywords, d.keywords_local, d.language, d.degree, d.granted_on::text, d.licence,
  case when d.embargo_until > university_today() then d.embargo_until::text end as closed_until`

const header = (place: Place, of: OaiRecord): string =>
  `<header${of.deleted ? ' status="deleted"' : ''}><identifier>${xml(idOf(place, of.handle))}</identifier><datestamp>${of.stamp}</datestamp><setSpec>${setSpec(of.faculty_id)}</setSpec></header>`
function record(place: Place, of: OaiRecord): string {
  const elements = dublinCore(of, place).map(
    ([name, text, lang]) => `<dc:${name}${lang ? ` xml:lang="${lang}"` : ''}>${xml(text)}</dc:${name}>`,
  )
  const metadata = of.deleted
    ? ''
    : `<metadata><oai_dc:dc xmlns:oai_dc="${DC}" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${DC} ${DC_SCHEMA}">${elements.join('')}</oai_dc:dc></metadata>`
  return `<record>${header(place, of)}${metadata}</record>`
}

type Answered = string | OaiError
const none: OaiError = { code: 'noRecordsMatch', text: 'No records match.' }

async function list(ctx: Ctx, place: Place, { verb, from, until, set, token }: OaiAsked): Promise<Answered> {
  const among = sql`(${from}::timestamptz is null or d.stamp >= ${from}::timestamptz) and (${until}::timestamptz is null or d.stamp <= ${until}::timestamptz)
    and (${set}::int is null or d.faculty_id = ${set}::int)`
  const { rows } = await sql<OaiRecord>`select ${RECORD} from thesis_deposits d
    where ${among} and (${token?.stamp ?? null}::timestamptz is null or (d.stamp, d.id) > (${token?.stamp ?? null}::timestamptz, ${token?.id ?? 0}::int))
    order by d.stamp, d.id limit ${TOGETHER + 1}`.execute(ctx.db)
  if (!rows.length) return token ? { code: 'badResumptionToken', text: 'This list has changed.' } : none
  const told = rows.slice(0, TOGETHER)
  const last = told.at(-1)!
  const cursor = token?.cursor ?? 0
  const { rows: all } = await sql<{
    count: number
  }>`select count(*)::int as count from thesis_deposits d where ${among}`.execute(ctx.db)
  const more = rows.length > TOGETHER
  const size = `completeListSize="${firstRow(all).count}" cursor="${cursor}"`
  const next = {
    v: verb as 'ListRecords',
    from,
    until,
    set,
    stamp: last.stamp,
    id: last.id,
    cursor: cursor + told.length,
  }
  const resume = more
    ? `<resumptionToken ${size}>${writeToken(next)}</resumptionToken>`
    : token
      ? `<resumptionToken ${size}/>`
      : ''
  return told.map((one) => (verb === 'ListRecords' ? record : header)(place, one)).join('') + resume
}

async function known(ctx: Ctx, place: Place, identifier: string): Promise<OaiRecord | undefined> {
  const start = `oai:${place.host}:`
  if (!identifier.startsWith(start)) return undefined
  const { rows } =
    await sql<OaiRecord>`select ${RECORD} from thesis_deposits d where d.handle = ${identifier.slice(start.length)}`.execute(
      ctx.db,
    )
  return rows[0]
}
const unknown: OaiError = { code: 'idDoesNotExist', text: 'No record has this identifier.' }

async function answer(ctx: Ctx, place: Place, asked: OaiAsked): Promise<Answered> {
  switch (asked.verb) {
    case 'Identify': {
      const { rows } = await sql<{ first: string; email: string | null }>`select
        coalesce(to_char(min(d.stamp) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as first,
        null::text as email from thesis_deposits d`.execute(ctx.db)
      return `<repositoryName>${xml(place.publisher)}</repositoryName><baseURL>${xml(place.url)}/api/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>repository@${xml(place.host)}</adminEmail><earliestDatestamp>${firstRow(rows).first}</earliestDatestamp><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity>`
    }
    case 'ListMetadataFormats':
      if (asked.identifier !== null && !(await known(ctx, place, asked.identifier))) return unknown
      return `<metadataFormat><metadataPrefix>${OAI_PREFIX}</metadataPrefix><schema>${DC_SCHEMA}</schema><metadataNamespace>${DC}</metadataNamespace></metadataFormat>`
    case 'ListSets': {
      const { rows } = await sql<{
        id: number
        name: string
      }>`select f.id, f.name from faculties f where f.removed_at is null
        or exists (select from thesis_deposits d where d.faculty_id = f.id) order by f.id`.execute(ctx.db)
      return rows
        .map(({ id, name }) => `<set><setSpec>${setSpec(id)}</setSpec><setName>${xml(name)}</setName></set>`)
        .join('')
    }
    case 'GetRecord': {
      const of = await known(ctx, place, asked.identifier ?? '')
      return of ? record(place, of) : unknown
    }
    default:
      return list(ctx, place, asked)
  }
}

const respond = (place: Place, args: URLSearchParams, asked: OaiAsked | null, parts: string): ProtocolAnswer => {
  // A request that was not understood is not repeated.
  const attributes = asked ? [...args].map(([name, value]) => ` ${name}="${xml(value)}"`).join('') : ''
  return {
    status: 200,
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd"><responseDate>${new Date().toISOString().slice(0, 19)}Z</responseDate><request${attributes}>${xml(place.url)}/api/oai</request>${parts}</OAI-PMH>`,
  }
}
const errorsXml = (errors: readonly OaiError[]): string =>
  errors.map(({ code, text }) => `<error code="${code}">${xml(text)}</error>`).join('')

async function harvested(ctx: Ctx, args: URLSearchParams): Promise<ProtocolAnswer> {
  const place = await placeOf(ctx)
  const asked = readOai(args)
  if ('errors' in asked)
    return respond(
      place,
      args,
      asked.errors.some(({ code }) => code === 'badVerb' || code === 'badArgument') ? null : ({} as OaiAsked),
      errorsXml(asked.errors),
    )
  const said = await answer(ctx, place, asked)
  return respond(
    place,
    args,
    asked,
    typeof said === 'string' ? `<${asked.verb}>${said}</${asked.verb}>` : errorsXml([said]),
  )
}

export const oaiProtocol: Protocol = {
  name: 'OAI-PMH',
  prefix: '/oai',
  types: ['text/xml', 'application/x-www-form-urlencoded'],
  reads: 'bytes',
  maxBody: 16_000,
  routes: [
    {
      method: 'GET',
      path: '',
      handler: (ctx, { query }) =>
        harvested(
          ctx,
          new URLSearchParams(
            Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
          ),
        ),
    },
    {
      method: 'POST',
      path: '',
      reads: true,
      handler: (ctx, { body }) =>
        harvested(ctx, new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '')),
    },
  ],
  refused: (refusal) => ({ status: refusal.status, type: 'text/plain', body: refusal.reasons[0]?.code ?? 'refused' }),
}
