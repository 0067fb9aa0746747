import { fill } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { elmoIn, judgeElmo } from '../elmo/signature.server.ts'
import { didOf } from '../issue/credential.rules.ts'
import { ownDidDocument } from '../issue/keys.server.ts'
import { statusList } from '../issue/status.server.ts'
import { didWebAddress } from '../verify/keys.server.ts'
import type { Reach } from '../verify/keys.server.ts'
import { issuerOf } from '../verify/model.rules.ts'
import { because, CREDENTIAL_NOTES, CREDENTIAL_REASONS, isObject } from '../verify/values.rules.ts'
import type { CredentialNote, CredentialReason } from '../verify/values.rules.ts'
import { judgeFile } from '../verify/verify.server.ts'
import type { ReadForeign } from '../credentials.contract.ts'
import { coursesOfCredential, coursesOfElmo } from './courses.rules.ts'
import type { XmlElement } from './courses.rules.ts'
import { isPdf, recordInPdf } from './attached.server.ts'
import { publicReach } from './reach.server.ts'

/** What this university publishes, without asking itself over the network. */
export function ownReach(ctx: Ctx): Reach {
  const { publicUrl } = ctx.services.config
  const lists = `${publicUrl}/api/credential-lists/`
  return async (url) => {
    const bare = url.replace(/#.*$/s, '')
    if (bare === didWebAddress(didOf(publicUrl))) return ownDidDocument(ctx)
    if (!bare.startsWith(lists)) return null
    const number = bare.slice(lists.length)
    return /^[1-9]\d{0,3}$/.test(number) ? statusList(ctx, Number(number)) : null
  }
}

const said = <C extends string>(
  texts: Readonly<Record<C, readonly [string, string]>>,
  all: readonly { readonly code: C; readonly data: Readonly<Record<string, string>> }[],
) =>
  all.map(({ code, data }) => ({
    code,
    en: fill(texts[code][0], data),
    ar: fill(texts[code][1], data),
    data: { ...data },
  }))

/** Notes by which a signature holds, but nobody says that the key is the issuer's. */
const NOBODYS: ReadonlySet<string> = new Set(['vc_note_issuer_document', 'vc_note_issuer_nobody', 'vc_note_key_inside'])

/** Verifies a credential or an ELMO document of another university, and reads its courses. Nothing is kept of it. */
export async function readForeignFile(
  ctx: Ctx,
  file: Uint8Array,
  reach = publicReach(ownReach(ctx)),
): Promise<ReadForeign> {
  // A PDF without a record is judged as it is, and refused like any file that is none.
  const content = (isPdf(file) ? await recordInPdf(file) : null) ?? file
  const text = Buffer.from(content)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  const answer = (
    kind: ReadForeign['kind'],
    reasons: readonly CredentialReason[],
    notes: readonly CredentialNote[],
    found: Pick<ReadForeign, 'issuer' | 'issuer_id' | 'courses'>,
  ): ReadForeign => ({
    kind,
    valid: !reasons.length,
    reasons: said(CREDENTIAL_REASONS, reasons),
    notes: said(CREDENTIAL_NOTES, notes),
    // What cannot be relied on is not proposed.
    ...(reasons.length ? { ...found, courses: [] } : found),
  })
  if (/^\s*</.test(text) && elmoIn(text)) {
    const { reasons, notes, signed } = await judgeElmo(text, { reach })
    // Only what is signed is read.
    const root = signed === null ? null : elmoIn(signed)?.documentElement
    const read = root ? elementOf(root) : null
    return answer('elmo', reasons, notes, {
      issuer: read ? issuerInElmo(read, 'title') : null,
      issuer_id: read ? issuerInElmo(read, 'identifier') : null,
      courses: read ? coursesOfElmo(read) : [],
    })
  }
  const judged = await judgeFile(content, { reach })
  const unsigned = !judged.signed && !judged.reasons.length
  // Here it is relied on: a key that nobody says is the issuer's is no signature of the issuer.
  const unknown = judged.notes.find(({ code }) => NOBODYS.has(code))
  const reasons = [
    ...judged.reasons,
    ...(unsigned ? [because('vc_unsigned')] : []),
    ...(unknown && !judged.reasons.length
      ? [because('vc_key_unreachable', { key: unknown.data.issuer ?? 'jwk' })]
      : []),
  ]
  const { document } = judged
  return answer('credential', reasons, judged.notes, {
    issuer: document && issuerNamed(document),
    issuer_id: document && issuerOf(document),
    courses: document ? coursesOfCredential(document) : [],
  })
}

function issuerNamed(document: Readonly<Record<string, unknown>>): string | null {
  const { issuer } = document
  return isObject(issuer) && typeof issuer.name === 'string' ? issuer.name : issuerOf(document)
}
function issuerInElmo(root: XmlElement, what: 'title' | 'identifier'): string | null {
  const issuer = root.children.find(({ name }) => name === 'report')?.children.find(({ name }) => name === 'issuer')
  return issuer?.children.find(({ name }) => name === what)?.text ?? null
}

/** So deep a document may be. */
const DEEPEST = 40
function elementOf(element: Element, depth = 0): XmlElement {
  const children: XmlElement[] = []
  let text = ''
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 1 && depth < DEEPEST) children.push(elementOf(node as Element, depth + 1))
    else if (node.nodeType === 3 || node.nodeType === 4) text += node.nodeValue ?? ''
  }
  const attributes: Record<string, string> = {}
  for (let i = 0; i < element.attributes.length; i++) {
    const one = element.attributes.item(i)
    if (one) attributes[one.name] = one.value
  }
  return { name: element.localName, attributes, text: text.trim(), children }
}
