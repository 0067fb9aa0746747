import { Button, Modal } from '@mantine/core'
import { IconBuilding, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { act, notify, Status } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatInstant, formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { useMe } from '#kit/web/auth/index.ts'
import { trainingOverviewCalls } from '../places/overview.contract.ts'
import { OrganisationQuestion } from '../organisations/question.web.tsx'
import { AFTER_TRAINING } from './after.web.ts'
import { trainingCalls as calls, type StudentTrainingDetail } from './student-training.contract.ts'
import css from '../trainings.module.css'

type Of = { readonly of: StudentTrainingDetail }

/** What the organisation advises; whoever decides may take it over while the request waits. */
export function TrainingAdvice({ of }: Of) {
  const t = useT('trainings')
  const me = useMe()
  const { send } = useChange(...AFTER_TRAINING)
  const { advice, training } = of
  if (!advice) return null
  const takes = of.status === 'requested' && training && me.can('decide_studentTraining')
  return (
    <Card
      title={t('advice')}
      text={t('assessed_by', { by: advice.said_by, at: formatInstant(advice.at) })}
      aside={
        takes && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              void act({
                ask: {
                  title: t('take_over_question', { name: nameOf(of.student) }),
                  consequence: t(advice.says ? 'take_over_yes' : 'take_over_no'),
                  action: t('take_over'),
                },
                go: async () => {
                  const { data } = await send(trainingOverviewCalls.takeOver, {
                    params: { id: training.id },
                    body: { ids: [of.id] },
                  })
                  return data
                },
                done: ({ failed }) => {
                  if (!failed.length) return t('taken_over')
                  notify.failed(failed)
                  return null
                },
              })
            }
          >
            {t('take_over')}
          </Button>
        )
      }
    >
      <Status is={advice.says ? 'met' : 'unmet'} label={t(advice.says ? 'says_yes' : 'says_no')} />
      {advice.reason && (
        <p className={css.text} dir="auto">
          {advice.reason}
        </p>
      )}
    </Card>
  )
}

/** The question to the organisation of a place that the student found. */
export function PlaceQuestion({ of }: Of) {
  const { send } = useChange(...AFTER_TRAINING)
  return (
    of.question && (
      <OrganisationQuestion
        of={of.question}
        name={nameOf(of.organisation)}
        ask={() => send(calls.askPlace, { params: { id: of.id } })}
        end={() => send(calls.endPlaceAsk, { params: { id: of.id } })}
      />
    )
  )
}

/** A place for a student who has other requests: what becomes of these is said with it. */
export function AcceptAmong({ of }: Of) {
  const t = useT('trainings')
  const [open, setOpen] = useState(false)
  const { send } = useChange(...AFTER_TRAINING)
  const choice = (value: string, key: 'others_keep' | 'others_later' | 'others_all') => ({
    value,
    label: asLabel(t(key)),
  })
  return (
    <Card
      title={t('others')}
      text={t('others_text')}
      aside={
        <Button size="compact-sm" leftSection={<IconCheck size={14} aria-hidden />} onClick={() => setOpen(true)}>
          {t('accept_this')}
        </Button>
      }
    >
      <ul className={css.plainList}>
        {of.others.map((one) => (
          <li key={one.id}>
            <bdi>{nameOf(one)}</bdi>
            {one.wish !== null && <small>{t('wish_of', { number: formatNumber(one.wish) })}</small>}
          </li>
        ))}
      </ul>
      {open && (
        <Modal opened onClose={() => setOpen(false)} title={t('accept_this')}>
          <Form
            bar="dialog"
            submit={t('accept_this')}
            onCancel={() => setOpen(false)}
            always
            values={{ others: 'keep', reason: null }}
            fields={{
              others: f.choice(
                asLabel(t('others')),
                [choice('keep', 'others_keep'), choice('later', 'others_later'), choice('all', 'others_all')],
                { required: true },
              ),
              reason: f.longText(asLabel(t('others_reason')), { required: true, max: 500 }),
            }}
            visible={{ reason: (typed) => typed.others !== 'keep' }}
            onSave={({ others, reason }) =>
              send(calls.acceptAmong, {
                params: { id: of.id },
                body: {
                  others: others as 'keep',
                  version: of.version,
                  ...(typeof reason === 'string' && others !== 'keep' && { reason }),
                },
              })
            }
            onSaved={({ data: { ended } }) => {
              notify.done(t('accepted_among', { count: ended }))
              setOpen(false)
            }}
          />
        </Modal>
      )}
    </Card>
  )
}

/** The organisation of a place that a student found goes on the list: one that is there, or a new one. */
export function ListOrganisation({ of }: Of) {
  const t = useT('trainings')
  const [open, setOpen] = useState(false)
  const { send } = useChange(...AFTER_TRAINING, '/training-organisations')
  const isNew = (typed: Readonly<Record<string, unknown>>) => !typed.organisation_id
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return (
    <Card
      title={t('found')}
      text={t('found_text')}
      aside={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconBuilding size={14} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {t('list_it')}
        </Button>
      }
    >
      {open && (
        <Modal opened onClose={() => setOpen(false)} title={t('list_it')}>
          <Form
            bar="dialog"
            submit={t('list_it')}
            onCancel={() => setOpen(false)}
            always
            values={{ name: of.organisation?.name ?? null, name_local: of.organisation?.name_local ?? null }}
            fields={{
              organisation_id: f.lookup(asLabel(t('there_already')), 'trainingOrganisation', {
                help: asLabel(t('there_already_text')),
              }),
              code: f.code(asLabel(t('code')), { required: true, max: 20 }),
              name: f.text(asLabel(t('name_en')), { required: true, max: 200 }),
              name_local: f.text(asLabel(t('name_ar')), { required: true, max: 200 }),
              contact_name: f.text(asLabel(t('contact')), { max: 200 }),
              email: f.email(asLabel(t('email'))),
            }}
            visible={{ code: isNew, name: isNew, name_local: isNew, contact_name: isNew, email: isNew }}
            onSave={({ organisation_id, code, name, name_local, contact_name, email }) =>
              send(calls.listOrganisation, {
                params: { id: of.id },
                body: organisation_id
                  ? { organisation_id: Number(organisation_id) }
                  : {
                      code: text(code),
                      name: text(name),
                      name_local: text(name_local),
                      contact_name: text(contact_name),
                      email: text(email),
                    },
              })
            }
            onSaved={({ data }) => {
              notify.done(t('listed', { name: nameOf(data) }))
              setOpen(false)
            }}
          />
        </Modal>
      )}
    </Card>
  )
}
