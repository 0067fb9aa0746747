import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { notify, Problems } from '#kit/web/feedback/index.ts'
import { FileDrop } from '#kit/web/form/file-drop.tsx'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { ImportReview, type Preview } from '#kit/web/imports/review.tsx'
import { questionMarkCalls, type QuestionedComponent } from './question.contract.ts'
import css from '../specifications.module.css'

/** A sheet of marks by question beside what stands there; then all of it or nothing. */
export function ImportQuestions({ of, onClose }: { of: QuestionedComponent; onClose: () => void }) {
  const t = useT('specifications')
  const { problem, go, send } = useChange('/specifications/questions', '/operations')
  const [progress, setProgress] = useState<number | null>(null)
  const [checked, setChecked] = useState<Preview | null>(null)
  const take = async (file: File) => {
    setProgress(0)
    const done = await go(() =>
      send(questionMarkCalls.import, { params: { a: of.id, b: 'preview' }, file, onProgress: setProgress }),
    )
    setProgress(null)
    if (done) setChecked(done.answer.data)
  }
  const store = async () => {
    if (!checked) return
    const { saved } = await send(questionMarkCalls.import, { params: { a: of.id, b: checked.import_id } })
    notify.done(t('question_imported', { count: saved }))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} size="xl" title={t('question_import_of', { name: nameOf(of) })}>
      {checked ? (
        <ImportReview
          first={checked}
          lines={async (body) =>
            (await send(questionMarkCalls.importLines, { params: { a: of.id, b: checked.import_id }, body })).data
          }
          mend={async (body) =>
            (await send(questionMarkCalls.importMend, { params: { a: of.id, b: checked.import_id }, body })).data
          }
          save={store}
          again={() => setChecked(null)}
          leave={onClose}
        />
      ) : (
        <div className={css.say}>
          <FileDrop text={t('question_drop')} progress={progress} onFile={(file) => void take(file)} />
          {problem !== null && <Problems error={problem} />}
        </div>
      )}
    </Modal>
  )
}
