import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { f } from '#kit/contract/field.ts'
import { thesisFlow } from '#areas/research/theses/thesis/flow.contract.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import css from '../projects.module.css'
import { projectFlow } from './project.contract.ts'
import { projectThesisCalls as calls } from './theses.contract.ts'

type Theses = ResponseOf<typeof calls.theses>['data']

/** Theses written in a project, as far as the reader sees them. */
export function ThesesOfProject({ id, changes }: { readonly id: number; readonly changes: boolean }) {
  const t = useT('projects')
  const me = useMe()
  const { data, error, refetch } = useCall(calls.theses, { params: { id } })
  const [open, setOpen] = useState(false)
  const theses = data?.data
  const may = changes && (me.can('access_thesis') || me.can('show_thesis'))
  return (
    <Card
      title={t('theses')}
      aside={
        may &&
        theses && (
          <Button size="compact-sm" variant="subtle" onClick={() => setOpen(true)}>
            {t('choose_theses')}
          </Button>
        )
      }
    >
      {error && !theses ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !theses ? (
        <Bone height={60} />
      ) : theses.length === 0 ? (
        <Empty title={t('no_theses')} />
      ) : (
        <ul className={css.list}>
          {theses.map((one) => (
            <li key={one.id}>
              <Link to={to('/theses/:id', { id: one.id })}>
                <bdi>{nameOf({ name: one.title, name_local: one.title_local })}</bdi>
              </Link>
              <small className={css.dim}>
                <bdi>{nameOf(one.student)}</bdi>
              </small>
              <StateBadge flow={thesisFlow as never} state={one.status} />
            </li>
          ))}
        </ul>
      )}
      {open && theses && <ChooseTheses id={id} theses={theses} onClose={() => setOpen(false)} />}
    </Card>
  )
}

const FIELDS = {
  thesis_ids: f.lookups(['Theses', 'الرسائل العلمية'], 'thesis', {
    through: { table: 'project_theses', from: 'project_id', to: 'thesis_id' },
  }),
}
function ChooseTheses({ id, theses, onClose }: { id: number; theses: Theses; onClose: () => void }) {
  const t = useT('projects')
  const { send } = useChange('/projects')
  return (
    <Modal opened onClose={onClose} title={t('choose_theses')}>
      <Form
        fields={FIELDS}
        values={{
          thesis_ids: theses.map((one) => ({ id: one.id, name: one.title, name_local: one.title_local })) as never,
        }}
        bar="dialog"
        always
        submit={t('save')}
        onCancel={onClose}
        onSave={({ thesis_ids }) =>
          send(calls.linkTheses, { params: { id }, body: { thesis_ids: thesis_ids as number[] } })
        }
        onSaved={onClose}
      />
    </Modal>
  )
}

/** On the page of a thesis: in which projects it is written. */
export function ProjectsOfThesis({ id }: { readonly id: number }) {
  const t = useT('projects')
  const me = useMe()
  const { data } = useCall(
    calls.ofThesis,
    { params: { id } },
    { enabled: me.can('access_project') || me.can('show_project') },
  )
  if (!data?.data.length) return null
  return (
    <Card title={t('projects_of_thesis')}>
      <ul className={css.list}>
        {data.data.map((one) => (
          <li key={one.id}>
            <Link to={to('/my_researches/projects/show/:id', { id: one.id })}>
              <bdi>{nameOf(one)}</bdi>
            </Link>
            <small className={css.dim}>{one.code}</small>
            <StateBadge flow={projectFlow as never} state={one.status} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
