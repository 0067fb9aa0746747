/**
 * Egypt's tax authority on this machine, as far as receipts go: signing in as a device, submissions, and what became of a receipt. It reads
 * documents by itself, and shares nothing with the program: it hashes the text as it came, and follows the chain of each device.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>
interface Kept {
  readonly uuid: string
  readonly previous: string
  readonly replaces: string | null
  readonly type: string
  readonly reference: string | null
  readonly number: string
  readonly total: string
  state: 'Submitted' | 'Valid' | 'Invalid'
}
export interface TaxSimulator {
  readonly url: string
  readonly variables: Readonly<Record<string, string>>
  /** What came, by UUID, the latest last. */
  readonly receipts: ReadonlyMap<string, Kept>
  /** Every submission that was taken, with its receipts. */
  readonly submissions: readonly (readonly string[])[]
  /** What the next submissions meet: nobody answers; taken, and the answer is lost; each receipt is rejected for a reason. */
  behave(how: { down?: boolean; lossy?: boolean; reject?: string | null; invalid?: string | null }): void
  close(): Promise<void>
}

/** Numbers stay as they are written: the hash is of the text. */
const read = (text: string): Json =>
  JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? { written: context?.source ?? String(value) } : value,
  ) as Json
const written = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'written' in value ? String(value.written) : String(value)
const isWritten = (value: unknown): boolean => typeof value === 'object' && value !== null && 'written' in value

/** The published serialization, from the text of a document. */
function serialized(value: unknown): string {
  if (value === null || typeof value !== 'object' || isWritten(value)) return `"${written(value)}"`
  let out = ''
  for (const [name, inner] of Object.entries(value)) {
    const upper = `"${name.toUpperCase()}"`
    out += upper
    if (Array.isArray(inner)) for (const one of inner) out += upper + serialized(one)
    else out += serialized(inner)
  }
  return out
}

const KNOWN = {
  ETA_CLIENT_ID: 'demo-device',
  ETA_CLIENT_SECRET: 'demo-secret',
  ETA_PRESHARED_KEY: 'demo-shared-key',
  ETA_POS_SERIAL: 'DEMO-POS-1',
  ETA_RIN: '100200300',
  ETA_TRADE_NAME: 'Demo University',
  ETA_ACTIVITY_CODE: '8530',
  ETA_GOVERNATE: 'Cairo',
  ETA_CITY: 'Nasr City',
  ETA_STREET: 'University Street',
  ETA_BUILDING: '1',
  ETA_ITEM_CODE: 'EG-100200300-FEES',
} as const

/** What is wrong with a receipt: all of it. */
function wrongIn(
  receipt: Json,
  heads: Map<string, string>,
  known: ReadonlyMap<string, Kept>,
): { code: string; message: string; path: string }[] {
  const wrong: { code: string; message: string; path: string }[] = []
  const say = (code: string, message: string, path: string) => wrong.push({ code, message, path })
  const part = (name: string): Json => (receipt[name] ?? {}) as Json
  const header = part('header')
  const uuid = String(header.uuid)
  const hash = createHash('sha256')
    .update(serialized({ ...receipt, header: { ...header, uuid: '' } }), 'utf8')
    .digest('hex')
  if (hash !== uuid) say('UUID', 'The UUID is not the hash of the document', 'header.uuid')
  const seller = part('seller')
  if (seller.rin !== KNOWN.ETA_RIN) say('RIN', 'The seller is not who signed in', 'seller.rin')
  const device = String(seller.deviceSerialNumber)
  if (device !== KNOWN.ETA_POS_SERIAL)
    say('POS', 'The device is not the one that signed in', 'seller.deviceSerialNumber')
  const old = header.referenceOldUUID === undefined ? null : String(header.referenceOldUUID)
  if (old === null) {
    if ((heads.get(device) ?? '') !== header.previousUUID)
      say('CHAIN', 'previousUUID is not the receipt before it on the device', 'header.previousUUID')
    heads.set(device, uuid)
  } else {
    const was = known.get(old)
    if (was?.state !== 'Invalid') say('OLD', 'referenceOldUUID is no rejected receipt', 'header.referenceOldUUID')
    else if (was.previous !== header.previousUUID) say('CHAIN', 'The receipt has left its place', 'header.previousUUID')
    if (heads.get(device) === old) heads.set(device, uuid)
  }
  const type = part('documentType')
  if (type.typeVersion !== '1.2') say('VERSION', 'Only version 1.2 is taken', 'documentType.typeVersion')
  if (type.receiptType === 'R') {
    const sold = known.get(String(header.referenceUUID))
    if (sold?.type !== 'S' || sold.state === 'Invalid')
      say('REFERENCE', 'No such receipt is known', 'header.referenceUUID')
  } else if (type.receiptType !== 'S') say('TYPE', 'Unknown type', 'documentType.receiptType')
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(header.dateTimeIssued)))
    say('DATE', 'Not a time in UTC', 'header.dateTimeIssued')
  if (header.currency !== 'EGP' && !(Number(written(header.exchangeRate)) > 0))
    say('RATE', 'The rate is missing', 'header.exchangeRate')
  const items = (receipt.itemData ?? []) as Json[]
  const sum = items.reduce((all, item) => all + Math.round(Number(written(item.total)) * 1000), 0)
  if (!items.length || sum !== Math.round(Number(written(receipt.totalAmount)) * 1000))
    say('TOTAL', 'The lines do not make the total', 'totalAmount')
  if (!['C', 'V', 'CC', 'VC', 'VO', 'PR', 'GC', 'P', 'O'].includes(String(receipt.paymentMethod)))
    say('PAYMENT', 'Unknown way to pay', 'paymentMethod')
  return wrong
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

export async function openTaxSimulator({ port = 0 }: { port?: number } = {}): Promise<TaxSimulator> {
  const receipts = new Map<string, Kept>()
  const reasons = new Map<string, object[]>()
  const submissions: string[][] = []
  const heads = new Map<string, string>()
  const tokens = new Set<string>()
  let how: { down: boolean; lossy: boolean; reject: string | null; invalid: string | null } = {
    down: false,
    lossy: false,
    reject: null,
    invalid: null,
  }
  const submit = (body: string): { status: number; answer: object } => {
    const sent = (read(body).receipts ?? []) as Json[]
    if (!sent.length || sent.length > 500) return { status: 400, answer: { error: { code: 'BadStructure' } } }
    const accepted: object[] = []
    const rejected: object[] = []
    for (const receipt of sent) {
      const header = (receipt.header ?? {}) as Json
      const [uuid, number] = [String(header.uuid), String(header.receiptNumber)]
      if (receipts.has(uuid)) {
        rejected.push({
          uuid,
          receiptNumber: number,
          error: { code: 'Duplicate', message: 'The receipt came before', details: [] },
        })
        continue
      }
      const wrong = wrongIn(receipt, heads, receipts)
      if (how.reject !== null) wrong.push({ code: 'Told', message: how.reject, path: 'itemData[0].itemCode' })
      receipts.set(uuid, {
        uuid,
        number,
        previous: String(header.previousUUID),
        replaces: header.referenceOldUUID === undefined ? null : String(header.referenceOldUUID),
        type: String(((receipt.documentType ?? {}) as Json).receiptType),
        reference: header.referenceUUID === undefined ? null : String(header.referenceUUID),
        total: written(receipt.totalAmount),
        state: wrong.length ? 'Invalid' : 'Submitted',
      })
      if (wrong.length) {
        reasons.set(uuid, wrong)
        rejected.push({
          uuid,
          receiptNumber: number,
          error: {
            code: 'ValidationError',
            message: 'Not valid',
            details: wrong.map(({ path, ...one }) => ({ ...one, propertyPath: path })),
          },
        })
      } else accepted.push({ uuid, receiptNumber: number, longId: uuid.slice(0, 20), hashKey: uuid })
    }
    submissions.push(sent.map((one) => String(((one.header ?? {}) as Json).uuid)))
    return {
      status: 202,
      answer: { submissionId: randomUUID(), acceptedDocuments: accepted, rejectedDocuments: rejected },
    }
  }
  const status = (uuid: string): { status: number; answer: object } => {
    const one = receipts.get(uuid)
    if (!one) return { status: 404, answer: { error: { code: 'NotFound' } } }
    if (one.state === 'Submitted') {
      one.state = how.invalid === null ? 'Valid' : 'Invalid'
      if (how.invalid !== null)
        reasons.set(uuid, [{ code: 'Later', message: how.invalid, path: 'seller.activityCode' }])
    }
    const errors = (reasons.get(uuid) ?? []).map((why) => ({ ...why, propertyPath: (why as { path?: string }).path }))
    return {
      status: 200,
      answer: {
        receipt: { uuid, status: one.state },
        ...(errors.length && { validationResults: { status: 'Invalid', validationSteps: [{ name: 'step', errors }] } }),
      },
    }
  }
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request)
      if (how.down) return request.socket.destroy()
      const url = new URL(request.url ?? '/', 'http://localhost')
      const say = (code: number, answer: object): void => {
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      }
      if (url.pathname === '/connect/token') {
        const form = new URLSearchParams(body)
        const right =
          request.headers.posserial === KNOWN.ETA_POS_SERIAL &&
          request.headers.presharedkey === KNOWN.ETA_PRESHARED_KEY &&
          typeof request.headers.pososversion === 'string' &&
          form.get('grant_type') === 'client_credentials' &&
          form.get('client_id') === KNOWN.ETA_CLIENT_ID &&
          form.get('client_secret') === KNOWN.ETA_CLIENT_SECRET
        if (!right) return say(400, { error: 'invalid_client' })
        const token = randomUUID()
        tokens.add(token)
        return say(200, { access_token: token, token_type: 'Bearer', expires_in: 3600 })
      }
      if (!tokens.has((request.headers.authorization ?? '').replace(/^Bearer /, ''))) return say(401, {})
      if (request.method === 'POST' && url.pathname === '/api/v1/receiptsubmissions') {
        const done = submit(body)
        return how.lossy ? request.socket.destroy() : say(done.status, done.answer)
      }
      const asked = /^\/api\/v1\/receipts\/([0-9a-f]{64})\/raw$/.exec(url.pathname)
      if (request.method === 'GET' && asked) {
        const done = status(asked[1]!)
        return say(done.status, done.answer)
      }
      return say(404, {})
    })().catch(() => response.destroy())
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', done)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    variables: { ...KNOWN, ETA_URL: url, ETA_ID_URL: url, ETA_SITE: url },
    receipts,
    submissions,
    behave(next) {
      how = { ...how, ...next }
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
