import { PDFDocument } from '@cantoo/pdf-lib'
import { serveTasks } from '#kit/server/workers/serve.ts'
import { MOST_BYTES } from '../verify/carrier.server.ts'

/** So many files of a PDF are looked at. */
const MOST_FILES = 20

serveTasks(async (content: Uint8Array): Promise<Uint8Array[]> => {
  try {
    const document = await PDFDocument.load(content, { updateMetadata: false, throwOnInvalidObject: false })
    return document
      .getAttachments()
      .slice(0, MOST_FILES)
      .flatMap(({ data }) => (data.length <= MOST_BYTES ? [Uint8Array.from(data)] : []))
  } catch {
    // What cannot be read as a PDF carries nothing.
    return []
  }
})
