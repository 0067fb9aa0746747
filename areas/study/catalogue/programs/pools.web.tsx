import { ActionIcon, Button, Modal } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, Status, confirm, notify } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { Form, useFormValue } from '#kit/web/form/form.tsx'
import { nameOf, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import css from '../catalogue.module.css'
import { WhoseStanding } from '../standing.web.tsx'
import { REQUIREMENT_TYPES, type RequirementType } from '../words.contract.ts'
import { programCalls, type StudyPlanAnswer } from './plan.contract.ts'
import { usePlan } from './use-plan.web.ts'

type Pool = StudyPlanAnswer['pools'][number]
type Take = (work: Promise<{ data: unknown }>) => Promise<void>
const FIELDS = {
  name: f.text(['English name', 'الاسم بالإنجليزية'], { required: true }),
  name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
  min_credit_hours: f.number(['Credit hours a student takes from it', 'الساعات التي يدرسها الطالب منها'], {
    places: 2,
    required: true,
    max: 1000,
  }),
}

/** Whose standing other hours of a pool would change. */
function PoolStanding({ plan, pool }: { plan: StudyPlanAnswer; pool: Pool | null }) {
  const typed = useFormValue('min_credit_hours')
  const hours = typed === null || typed === '' ? Number.NaN : Number(typed)
  const edits = hours >= 0 && hours <= 1000 && hours !== (pool?.min_credit_hours ?? 0)
  return (
    <WhoseStanding
      of="program"
      id={plan.program.id}
      edit={edits ? { pools: [{ id: pool?.id ?? null, min_credit_hours: Math.round(hours * 100) / 100 }] } : null}
    />
  )
}

function PoolDialog({
  plan,
  pool,
  take,
  onClose,
}: {
  plan: StudyPlanAnswer
  pool: Pool | null
  take: Take
  onClose: () => void
}) {
  const t = useT('catalogue')
  const { send } = useChange()
  return (
    <Modal opened onClose={onClose} title={pool ? <bdi>{nameOf(pool)}</bdi> : t('add_pool')}>
      <Form
        fields={FIELDS}
        values={pool}
        bar="dialog"
        below={<PoolStanding plan={plan} pool={pool} />}
        always={!pool}
        onCancel={onClose}
        onSave={(values) => {
          const body = values as Pick<Pool, 'name' | 'name_local' | 'min_credit_hours'>
          const sent = { name: body.name, name_local: body.name_local, min_credit_hours: body.min_credit_hours }
          return take(
            pool
              ? send(programCalls.editPool, { params: { id: pool.id }, body: sent })
              : send(programCalls.addPool, { body: { program_id: plan.program.id, ...sent } }),
          )
        }}
        onSaved={onClose}
      />
    </Modal>
  )
}

const NAMES = {
  university: ['University requirements', 'متطلبات الجامعة'],
  faculty: ['Faculty requirements', 'متطلبات الكلية'],
} as const

function Requirements({ plan, type, take }: { plan: StudyPlanAnswer; type: RequirementType; take: Take }) {
  const t = useT('catalogue')
  const say = useLabel()
  const { send } = useChange()
  const [added, setAdded] = useState(0)
  const editable = plan.abilities.includes('edit_plan')
  const placed = new Set(plan.courses.map((c) => c.course_id))
  const put = (course: number, required: boolean) =>
    take(
      send(programCalls.setRequirement, {
        params: { programId: plan.program.id, type, id: course },
        body: { required },
      }),
    )
  const list = plan.requirements[type]
  return (
    <Card title={say(NAMES[type])}>
      {list.length ? (
        <ul className={css.lines}>
          {list.map((c) => (
            <li key={c.id}>
              <span>
                <Code>{c.code}</Code> <Name row={c} />
              </span>
              <span>
                {placed.has(c.id) ? (
                  <Status is="met" label={t('in_plan')} />
                ) : (
                  <Status is="missing" label={t('not_in_plan')} />
                )}
                {editable && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('take_off', { name: nameOf(c) })}
                    onClick={() =>
                      void put(c.id, false)
                        .then(() => notify.undo(t('taken_off', { name: nameOf(c) }), () => put(c.id, true)))
                        .catch((problem: unknown) => notify.error(problem))
                    }
                  >
                    <IconTrash size={15} />
                  </ActionIcon>
                )}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <span className={css.faint}>{t('none')}</span>
      )}
      {editable && (
        <LookupInput
          key={added}
          resource="course"
          aria-label={t('add_course')}
          placeholder={t('add_course')}
          defaultValue={null}
          onChange={(course) => {
            if (course === null) return
            setAdded((n) => n + 1)
            void put(course, true).catch((problem: unknown) => notify.error(problem))
          }}
        />
      )}
    </Card>
  )
}

/** Elective pools and requirement lists of a program. */
export function Pools({ row }: { row: { id: number } }) {
  const t = useT('catalogue')
  const { plan, error, refetch, take } = usePlan(row.id)
  const { send } = useChange()
  const [open, setOpen] = useState<Pool | 'new' | null>(null)
  if (error && !plan) return <Failed error={error} retry={() => void refetch()} />
  if (!plan) return <Bone height={160} />
  const editable = plan.abilities.includes('edit_plan')
  return (
    <Stack>
      <Card
        title={t('pools')}
        aside={
          editable && (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPlus size={14} />}
              onClick={() => setOpen('new')}
            >
              {t('add_pool')}
            </Button>
          )
        }
        text={t('pools_text')}
      >
        {plan.pools.length ? (
          <ul className={css.lines}>
            {plan.pools.map((pool) => {
              const courses = plan.courses.filter((c) => c.pool_id === pool.id)
              const problem = plan.problems.find((p) => p.pool_id === pool.id)
              return (
                <li key={pool.id}>
                  <span className={css.entry}>
                    <Name row={pool} />
                    <span className={css.faint}>
                      {t('pool_hours', { hours: pool.min_credit_hours, offered: pool.credit_hours })} ·{' '}
                      {courses.length ? <Code>{courses.map((c) => c.code).join(', ')}</Code> : t('none')}
                    </span>
                    {problem && <span className={css.reasons}> {problemText(problem)}</span>}
                  </span>
                  {editable && (
                    <span className={css.buttons}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={t('edit_pool', { name: nameOf(pool) })}
                        onClick={() => setOpen(pool)}
                      >
                        <IconPencil size={15} />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={t('remove_pool', { name: nameOf(pool) })}
                        onClick={() =>
                          void confirm({
                            title: t('remove_pool', { name: nameOf(pool) }),
                            consequence: (
                              <>
                                {t('remove_pool_text', { count: courses.length })}
                                <WhoseStanding of="program" id={plan.program.id} edit={{ without_pools: [pool.id] }} />
                              </>
                            ),
                            action: t('remove'),
                            danger: true,
                            go: () => take(send(programCalls.removePool, { params: { id: pool.id } })),
                          })
                        }
                      >
                        <IconTrash size={15} />
                      </ActionIcon>
                    </span>
                  )}
                </li>
              )
            })}
          </ul>
        ) : (
          <Empty title={t('no_pools')} />
        )}
      </Card>
      <Cards even>
        {REQUIREMENT_TYPES.map((type) => (
          <Requirements key={type} plan={plan} type={type} take={take} />
        ))}
      </Cards>
      {open && <PoolDialog plan={plan} pool={open === 'new' ? null : open} take={take} onClose={() => setOpen(null)} />}
    </Stack>
  )
}
