import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import type { Ref } from '#kit/contract/schema.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { Whom, type Concerned } from '#kit/web/feedback/weight.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { applicantTags } from './applicant-tags.contract.ts'

/** What somebody wants of the tags of several applicants. */
export interface ApplicantTagsAnswer {
  readonly act: 'attach' | 'remove'
  readonly tag_ids: number[]
}

/** Nothing is stored through it here: the calls take ids. */
const THROUGH = { table: '', from: '', to: '' }

/** Asks which tags many applicants get or lose; null: none. */
export function TagsOfApplicants({
  whom,
  onAnswer,
}: {
  readonly whom: Concerned
  readonly onAnswer: (answer: ApplicantTagsAnswer | null) => void
}) {
  const t = useT('applicants')
  const asked = (act: ApplicantTagsAnswer['act']) => (values: Readonly<Record<string, unknown>>) =>
    Promise.resolve({ act, tag_ids: values.tags as number[] })
  return (
    <Modal opened onClose={() => onAnswer(null)} title={t('tags')}>
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

/** The tags of one applicant, put and taken one by one. */
export function TagsOfApplicant({
  applicant,
  tags,
  onClose,
}: {
  readonly applicant: { readonly id: number; readonly code: string | null }
  readonly tags: readonly Ref[]
  readonly onClose: () => void
}) {
  const t = useT('applicants')
  const { send } = useChange('/applicants')
  const save = async (values: Readonly<Record<string, unknown>>) => {
    const chosen = (values.tags ?? []) as number[]
    const before = tags.map((one) => one.id)
    const applicant_ids = [applicant.id]
    const [added, gone] = [chosen.filter((id) => !before.includes(id)), before.filter((id) => !chosen.includes(id))]
    if (added.length) await send(applicantTags.calls.attach, { body: { applicant_ids, tag_ids: added } })
    if (gone.length) await send(applicantTags.calls.remove, { body: { applicant_ids, tag_ids: gone } })
  }
  return (
    <Modal opened onClose={onClose} title={t('tags_of', { number: applicant.code ?? '' })}>
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
          notify.done(t('tags_saved', { number: applicant.code ?? '' }))
        }}
      >
        <Field name="tags" autoFocus />
      </Form>
    </Modal>
  )
}
