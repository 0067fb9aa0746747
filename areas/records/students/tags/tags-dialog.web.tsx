import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import type { Ref } from '#kit/contract/schema.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { Whom } from '#kit/web/feedback/weight.tsx'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { studentTags } from './student-tags.contract.ts'

/** What somebody wants of the tags of several students. */
export interface TagsAnswer {
  readonly act: 'attach' | 'remove'
  readonly tag_ids: number[]
}

/** Nothing is stored through it here: the calls take ids. */
const THROUGH = { table: '', from: '', to: '' }

/** Asks which tags many students get or lose; null: none. */
export function TagsOfMany({ whom, onAnswer }: { whom: Concerned; onAnswer: (answer: TagsAnswer | null) => void }) {
  const t = useT('students')
  const asked = (act: TagsAnswer['act']) => (values: Readonly<Record<string, unknown>>) =>
    Promise.resolve({ act, tag_ids: values.tags as number[] })
  return (
    <Modal opened onClose={() => onAnswer(null)} title={t('tags_of_many', { count: whom.count })}>
      <Whom whom={whom} />
      <Form
        fields={{ tags: f.lookups(asLabel(t('tags')), 'tag', { required: true, through: THROUGH }) }}
        bar="dialog"
        always
        also={[{ label: t('tags_remove'), onSave: asked('remove') }]}
        submit={t('tags_attach')}
        onCancel={() => onAnswer(null)}
        onSave={asked('attach')}
        onSaved={onAnswer}
      >
        <Field name="tags" autoFocus />
      </Form>
    </Modal>
  )
}

/** The tags of one student, put and taken one by one. */
export function TagsOfStudent({
  student,
  tags,
  onClose,
}: {
  student: Named & { id: number }
  tags: readonly Ref[]
  onClose: () => void
}) {
  const t = useT('students')
  const { send } = useChange('/students')
  const save = async (values: Readonly<Record<string, unknown>>) => {
    const chosen = (values.tags ?? []) as number[]
    const before = tags.map((one) => one.id)
    const student_ids = [student.id]
    const [added, gone] = [chosen.filter((id) => !before.includes(id)), before.filter((id) => !chosen.includes(id))]
    if (added.length) await send(studentTags.calls.attach, { body: { student_ids, tag_ids: added } })
    if (gone.length) await send(studentTags.calls.remove, { body: { student_ids, tag_ids: gone } })
  }
  return (
    <Modal opened onClose={onClose} title={t('tags_of', { name: nameOf(student) })}>
      <Form
        fields={{ tags: f.lookups(asLabel(t('tags')), 'tag', { through: THROUGH }) }}
        values={{ tags }}
        bar="dialog"
        always
        submit={t('tags_save')}
        onCancel={onClose}
        onSave={save}
        onSaved={() => {
          onClose()
          notify.done(t('tags_saved', { name: nameOf(student) }))
        }}
      >
        <Field name="tags" autoFocus />
      </Form>
    </Modal>
  )
}
