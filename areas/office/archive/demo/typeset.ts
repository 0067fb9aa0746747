import path from 'node:path'
import { renderPdf } from '#kit/server/documents/index.ts'
import type { Typeset } from './papers.ts'

/** A paper of the demo university, by the same mechanism as its transcripts; the same bytes each time. */
export const typeset = ({ on, ...data }: Typeset): Promise<Uint8Array> =>
  renderPdf({
    template: path.join(import.meta.dirname, 'paper.typ'),
    data: {
      ...data,
      on,
      university: { name: 'Canopus University', name_local: 'جامعة كانوب' },
    },
    created: new Date(`${on}T09:00:00Z`),
  })
