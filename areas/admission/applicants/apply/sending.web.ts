/** A document on its way: at once where it is small, otherwise in parts, from where it stopped. */
import type { Change } from '#kit/web/api/index.ts'
import { digestOf, sendInParts } from '#kit/web/api/parts.ts'
import { DOCUMENT_PART_BYTES, applyCalls as calls, type Application } from './apply.contract.ts'

/** How often a part is tried again: a line may be away for a quarter of an hour. */
const TRIES = 30

/**
 * Sends a document. The same file chosen again, also after the page was closed, goes on where it stopped: the server knows
 * it by its digest.
 *
 * @throws {ApiError}
 */
export async function sendDocument(
  send: Change['send'],
  params: { readonly id: number; readonly key: string; readonly kind: number },
  file: File,
  onProgress: (percent: number) => void,
): Promise<Application> {
  const digest = file.size > DOCUMENT_PART_BYTES ? await digestOf(file) : null
  if (digest === null) return (await send(calls.upload, { params, file, onProgress })).data
  const { data } = await send(calls.uploadParts, {
    params: { ...params, step: 'begin' },
    body: { name: file.name, size: file.size, digest },
  })
  const { id: upload, received, part } = data.upload!
  await sendInParts(
    file,
    { received, part },
    {
      tries: TRIES,
      onProgress,
      async send(content, offset) {
        const answer = await send(calls.uploadParts, {
          params: { ...params, step: 'part' },
          body: { upload, offset },
          file: content,
        })
        return answer.data.upload!.received
      },
    },
  )
  const done = await send(calls.uploadParts, { params: { ...params, step: 'finish' }, body: { upload } })
  return done.data.application!
}
