import { ActionIcon, Button, Modal } from '@mantine/core'
import { IconGripVertical, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { act, confirm, Empty, Name, notify, Status } from '#kit/web/feedback/index.ts'
import { useReorder } from '#kit/web/fields/reorder.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatNumber, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { thesisCalls, type ThesisMemberRow, type WholeThesis } from './whole.contract.ts'
import { THESIS_JOB_WORDS, THESIS_TIE_WORDS } from './words.contract.ts'
import css from '../theses.module.css'

/** Who supervises, judges and observes, in order; moved by dragging or with the arrow keys. */
export function ThesisTeam({ id, whole, status }: { id: number; whole: WholeThesis; status: string }) {
  const t = useT('theses')
  const { send } = useChange('/theses')
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<ThesisMemberRow | null>(null)
  const there = whole.members.filter(({ until_date }) => !until_date)
  const left = whole.members.filter(({ until_date }) => until_date)
  const changes = whole.may.team && !['granted', 'ended'].includes(status)
  const move = (from: number, to: number) =>
    void act({
      go: () => send(thesisCalls.reorderMember, { params: { id: there[from]!.id, order: to + 1 } }),
      done: () => null,
    })
  const reorder = useReorder(there.length, move, () => undefined)
  const remove = async (one: ThesisMemberRow) => {
    if (await confirm({ title: t('remove_member', { name: nameOf(one.person) }), action: t('remove'), danger: true }))
      await act({ go: () => send(thesisCalls.removeMember, { params: { id: one.id } }), done: () => t('kept') })
  }
  return (
    <Card
      title={t('team')}
      text={changes ? t('team_text') : undefined}
      aside={
        changes && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            {t('add_member')}
          </Button>
        )
      }
    >
      {there.length === 0 && <Empty title={t('no_team')} text={t('no_team_text')} />}
      <ul className={css.rows}>
        {there.map((one, i) => (
          <li key={one.id} {...reorder.place(i)}>
            {changes && (
              <ActionIcon
                variant="subtle"
                aria-label={t('move_member', { name: nameOf(one.person) })}
                {...reorder.handle(i)}
              >
                <IconGripVertical size={16} aria-hidden />
              </ActionIcon>
            )}
            <Member of={one} />
            {changes && (
              <ActionIcon
                variant="subtle"
                aria-label={t('edit_member', { name: nameOf(one.person) })}
                onClick={() => setEditing(one)}
              >
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
            )}
            {changes && (
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={t('remove_member', { name: nameOf(one.person) })}
                onClick={() => void remove(one)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <>
          <p className={css.text}>{t('left_team')}</p>
          <ul className={css.rows}>
            {left.map((one) => (
              <li key={one.id}>
                <Member of={one} />
              </li>
            ))}
          </ul>
        </>
      )}
      {adding && <MemberForm thesis={id} onClose={() => setAdding(false)} />}
      {editing && <MemberForm thesis={id} of={editing} onClose={() => setEditing(null)} />}
    </Card>
  )
}

function Member({ of }: { of: ThesisMemberRow }) {
  const t = useT('theses')
  const say = useLabel()
  const job = THESIS_JOB_WORDS.find(({ value }) => value === of.job)!
  const tie = THESIS_TIE_WORDS.find(({ value }) => value === of.tie)!
  return (
    <>
      <span className={css.grow}>
        <Name row={of.person} />
      </span>
      <small>
        {say(job.label)}
        {of.share !== null && ` · ${t('share_of', { share: formatNumber(of.share) })}`}
        {of.external && ` · ${t('external')}`}
      </small>
      {of.tie !== 'none' && <Status is="late" label={say(tie.label)} />}
    </>
  )
}

function MemberForm({ thesis, of, onClose }: { thesis: number; of?: ThesisMemberRow; onClose: () => void }) {
  const t = useT('theses')
  const { send } = useChange('/theses')
  const more = {
    job: f.choice(asLabel(t('job')), THESIS_JOB_WORDS, { required: true }),
    share: f.integer(asLabel(t('share')), { min: 1, max: 100, help: asLabel(t('share_help')) }),
    tie: f.choice(asLabel(t('tie')), THESIS_TIE_WORDS, { required: true, help: asLabel(t('tie_help')) }),
  }
  const fields = of
    ? more
    : {
        instructor_id: f.lookup(asLabel(t('instructor')), 'instructor'),
        examiner_id: f.lookup(asLabel(t('examiner')), 'externalExaminer', { help: asLabel(t('examiner_help')) }),
        ...more,
      }
  const title = of ? t('edit_member', { name: nameOf(of.person) }) : t('add_member')
  return (
    <Modal opened onClose={onClose} title={title}>
      <Form
        bar="dialog"
        submit={t('save')}
        onCancel={onClose}
        always
        fields={fields}
        values={of ? { job: of.job, share: of.share, tie: of.tie } : { job: 'committee', tie: 'none' }}
        onSave={(given) =>
          of
            ? send(thesisCalls.editMember, { params: { id: of.id }, body: given })
            : send(thesisCalls.addMember, { body: { thesis_id: thesis, ...given } as never })
        }
        onSaved={() => {
          notify.done(t('kept'))
          onClose()
        }}
      />
    </Modal>
  )
}
