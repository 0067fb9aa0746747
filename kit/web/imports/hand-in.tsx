import { useState } from 'react'
import type { ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { HandInCalls } from '#kit/contract/handing-in.ts'
import type { ImportLinesQuery, importMend } from '#kit/contract/imports.ts'
import type { z } from 'zod'
import { refresh, useChange } from '../api/index.ts'
import type { Change } from '../api/index.ts'
import { Problems } from '../feedback/index.ts'
import { FileDrop } from '../form/file-drop.tsx'
import { ImportReview } from './review.tsx'
import type { Preview } from './review.tsx'

/** How the steps of a sheet are sent. */
export interface HandInWays<Saved> {
  preview(file: File, onProgress: (share: number) => void): Promise<Preview>
  lines(import_id: string, query: ImportLinesQuery): Promise<Preview>
  mend(import_id: string, body: z.input<typeof importMend>): Promise<Preview>
  save(import_id: string): Promise<Saved>
}

/** The steps of a sheet about one record by the calls of `handInCalls`. */
export const handInWays =
  (calls: Pick<HandInCalls, keyof HandInCalls>, record: number) =>
  (send: Change['send']): HandInWays<{ saved: number; operation_id: number | null }> => ({
    preview: async (file, onProgress) =>
      (await send(calls.import, { params: { a: record, b: 'preview' }, file, onProgress })).data!,
    lines: async (b, body) => (await send(calls.importLines, { params: { a: record, b }, body })).data,
    mend: async (b, body) => (await send(calls.importMend, { params: { a: record, b }, body })).data,
    save: (b) => send(calls.import, { params: { a: record, b } }),
  })

/**
 * A sheet that is handed in about one record: `drop` takes the file, `review` (null before) shows what saving would
 * do. The screen places both.
 *
 * @param text what the place for the file says
 * @param failed what stands above a refusal of the file
 * @param refreshes what is fetched again once it is saved
 * @param leave closes it, where it stands in a dialog
 */
export function useHandIn<Saved>(
  ways: (send: Change['send']) => HandInWays<Saved>,
  {
    text,
    failed,
    refreshes,
    onSaved,
    leave,
  }: {
    readonly text: string
    readonly failed?: string
    readonly refreshes: readonly string[]
    readonly onSaved: (answer: Saved) => void
    readonly leave?: () => void
  },
): { readonly drop: ReactNode; readonly review: ReactNode } {
  const client = useQueryClient()
  const { problem, go, send } = useChange()
  const [progress, setProgress] = useState<number | null>(null)
  const [checked, setChecked] = useState<Preview | null>(null)
  const { preview, lines, mend, save } = ways(send)
  const take = async (file: File) => {
    setProgress(0)
    const done = await go(() => preview(file, setProgress))
    setProgress(null)
    if (done) setChecked(done.answer)
  }
  return {
    drop: (
      <>
        <FileDrop text={text} progress={progress} onFile={(file) => void take(file)} />
        {problem !== null && <Problems error={problem} {...(failed !== undefined && { title: failed })} />}
      </>
    ),
    review: checked && (
      <ImportReview
        first={checked}
        lines={(query) => lines(checked.import_id, query)}
        mend={(body) => mend(checked.import_id, body)}
        save={async () => {
          const answer = await save(checked.import_id)
          await refresh(client, ...refreshes)
          onSaved(answer)
        }}
        again={() => setChecked(null)}
        {...(leave && { leave })}
      />
    ),
  }
}
