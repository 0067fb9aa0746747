import { handle } from '#kit/server/base/context.ts'
import type { Ctx, FileResult } from '#kit/server/base/context.ts'
import { errorBody, refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { hear } from '#kit/server/base/hears.ts'
import { papersAsFiles } from '#kit/server/papers/papers.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import type { Protocol } from '#kit/server/http/protocols.ts'
import { credentialCalls, credentialsArea } from './credentials.contract.ts'
import { credentialsTold } from './credentials.told.contract.ts'
import { elmoOf } from './elmo/elmo.rules.ts'
import { signedElmo } from './elmo/signature.server.ts'
import { didOf } from './issue/credential.rules.ts'
import { paperAsFiles } from './issue/files.server.ts'
import { openedPaper, paperCredential } from './issue/issue.server.ts'
import { issuerKey, ownDidDocument } from './issue/keys.server.ts'
import { LIST_MAX_AGE, statusList } from './issue/status.server.ts'
import { readForeignFile } from './read/read.server.ts'

/** A transcript as signed ELMO. @throws {Refusal} 404; 409 `elmo_kind`, `elmo_disclosure`, `paper_revoked` */
async function paperElmo(ctx: Ctx, student: number, paper: number): Promise<FileResult> {
  const opened = await openedPaper(ctx, student, paper)
  if (opened.kind !== 'transcript') throw refuse(409, 'elmo_kind')
  if (opened.disclosure !== 'everything') throw refuse(409, 'elmo_disclosure')
  const { publicUrl } = ctx.services.config
  const [head, key] = await Promise.all([universityHead(ctx), issuerKey(ctx)])
  const did = didOf(publicUrl)
  const xml = elmoOf(opened, { issuer: { id: did, ...head }, address: publicUrl, made: new Date().toISOString() })
  return {
    name: fileName('xml', opened.title.name, opened.serial),
    type: 'xml',
    content: Buffer.from(signedElmo(xml, { key: key.key, method: `${did}#${key.multibase}` })),
  }
}

const PUBLIC = { 'access-control-allow-origin': '*', 'cache-control': `public, max-age=${LIST_MAX_AGE}` }
const refused: Protocol['refused'] = (refusal) => ({
  status: refusal.status,
  type: 'application/json',
  body: JSON.stringify(errorBody(refusal)),
})

/** What verifiers ask for: by which keys the university signs. */
const didProtocol: Protocol = {
  name: 'did',
  prefix: '/.well-known',
  atRoot: true,
  types: ['application/did+json'],
  reads: 'json',
  maxBody: 1000,
  routes: [
    {
      method: 'GET',
      path: '/did.json',
      inMaintenance: true,
      handler: async (ctx) => ({ status: 200, headers: PUBLIC, body: JSON.stringify(await ownDidDocument(ctx)) }),
    },
  ],
  refused,
}
/** What verifiers ask for: which credentials were revoked. */
const listProtocol: Protocol = {
  name: 'credential-lists',
  prefix: '/credential-lists',
  types: ['application/vc'],
  reads: 'json',
  maxBody: 1000,
  routes: [
    {
      method: 'GET',
      path: '/:number',
      inMaintenance: true,
      handler: async (ctx, { params: { number = '' } }) => {
        const list = /^[1-9]\d{0,3}$/.test(number) ? await statusList(ctx, Number(number)) : null
        if (!list) throw refuse(404, 'not_found')
        return { status: 200, headers: PUBLIC, body: JSON.stringify(list) }
      },
    },
  ],
  refused,
}

export const credentialsServer = defineAreaServer({
  area: credentialsArea,
  told: credentialsTold,
  hears: [hear(papersAsFiles, paperAsFiles)],
  protocols: [didProtocol, listProtocol],
  handlers: [
    handle(credentialCalls.paperCredential, (ctx, { params: { id, paper } }) => paperCredential(ctx, id, paper)),
    handle(credentialCalls.paperElmo, (ctx, { params: { id, paper } }) => paperElmo(ctx, id, paper)),
    handle(credentialCalls.readForeign, async (ctx, { file }) => ({ data: await readForeignFile(ctx, file!.content) })),
  ],
})
