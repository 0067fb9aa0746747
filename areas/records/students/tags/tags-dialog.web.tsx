import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { Ref } from '#kit/contract/schema.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Whom } from '#kit/web/feedback/weight.tsx'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { LookupsInput } from '#kit/web/fields/lookup-input.tsx'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import css from '../students.module.css'
import { studentTags } from './student-tags.contract.ts'

/** What somebody wants of the tags of several students. */
export interface TagsAnswer {
  readonly act: 'attach' | 'remove'
  readonly tag_ids: number[]
}

/** Asks which tags many students get or lose; null: none. */
export function TagsOfMany({ whom, onAnswer }: { whom: Concerned; onAnswer: (answer: TagsAnswer | null) => void }) {
  const t = useT('students')
  const [tag_ids, set] = useState<number[]>([])
  return (
    <Modal opened onClose={() => onAnswer(null)} title={t('tags_of_many', { count: whom.count })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (tag_ids.length) onAnswer({ act: 'attach', tag_ids })
        }}
      >
        <Whom whom={whom} />
        <LookupsInput autoFocus resource="tag" label={t('tags')} defaultValue={[]} onChange={set} />
        <div className={css.dialogButtons}>
          <Submit
            variant="default"
            onCancel={() => onAnswer(null)}
            missing={[!tag_ids.length && t('tags')]}
            onClick={() => onAnswer({ act: 'remove', tag_ids })}
          >
            {t('tags_remove')}
          </Submit>
          <Submit type="submit" missing={[!tag_ids.length && t('tags')]}>
            {t('tags_attach')}
          </Submit>
        </div>
      </form>
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
  const [chosen, set] = useState<readonly number[]>(tags.map((one) => one.id))
  const { busy, problem, go, send } = useChange('/students')
  const save = async () => {
    const before = tags.map((one) => one.id)
    const student_ids = [student.id]
    const [added, gone] = [chosen.filter((id) => !before.includes(id)), before.filter((id) => !chosen.includes(id))]
    const done = await go(async () => {
      if (added.length) await send(studentTags.calls.attach, { body: { student_ids, tag_ids: added } })
      if (gone.length) await send(studentTags.calls.remove, { body: { student_ids, tag_ids: gone } })
    })
    if (!done) return
    onClose()
    notify.done(t('tags_saved', { name: nameOf(student) }))
  }
  return (
    <Modal opened onClose={onClose} title={t('tags_of', { name: nameOf(student) })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {problem !== null && <Problems error={problem} />}
        <LookupsInput autoFocus resource="tag" label={t('tags')} defaultValue={tags} onChange={set} />
        <div className={css.dialogButtons}>
          <Submit type="submit" missing={[]} onCancel={onClose} loading={busy}>
            {t('tags_save')}
          </Submit>
        </div>
      </form>
    </Modal>
  )
}
