import { Modal } from '@mantine/core'
import { notify } from '#kit/web/feedback/index.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { handInWays, useHandIn } from '#kit/web/imports/hand-in.tsx'
import { questionMarkCalls, type QuestionedComponent } from './question.contract.ts'
import css from '../specifications.module.css'

/** A sheet of marks by question beside what stands there; then all of it or nothing. */
export function ImportQuestions({ of, onClose }: { of: QuestionedComponent; onClose: () => void }) {
  const t = useT('specifications')
  const { drop, review } = useHandIn(handInWays(questionMarkCalls, of.id), {
    text: t('question_drop'),
    refreshes: ['/specifications/questions', '/operations'],
    leave: onClose,
    onSaved({ saved }) {
      notify.done(t('question_imported', { count: saved }))
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} size="xl" title={t('question_import_of', { name: nameOf(of) })}>
      {review ?? <div className={css.say}>{drop}</div>}
    </Modal>
  )
}
