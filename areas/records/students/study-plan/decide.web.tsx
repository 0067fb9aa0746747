import { Button, Modal, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { exceptionCalls, type AuditedRequirement } from '#areas/records/degree-audit/audits/audit.contract.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { formatInstant, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { askReason } from '#kit/web/workflow/reason.tsx'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import css from './audit.module.css'
import type { Chip } from './course-chip.web.tsx'

/** What is to be decided for one student. */
export type PlanDecision =
  | { kind: 'waive'; requirement: AuditedRequirement }
  | { kind: 'settle' | 'substitute'; course: Chip }

function* everyOf(one: AuditedRequirement): Generator<AuditedRequirement> {
  yield one
  for (const inner of one.parts) yield* everyOf(inner)
}

/** A course: what it is, where it counts, where else it could, and what stands against taking it. */
export function CourseDialog({
  chip,
  onClose,
  onDecide,
}: {
  chip: Chip
  onClose: () => void
  onDecide?: (kind: 'settle' | 'substitute') => void
}) {
  const t = useT('degree-audit')
  const words = useT('students')
  const lang = useLanguage()
  const { course, plan } = chip
  const list = (places: Chip['counts']) => (
    <ul className={css.missing}>
      {places.map((place) => (
        <li key={place.key}>
          <bdi>{nameOf(place, lang)}</bdi>
        </li>
      ))}
    </ul>
  )
  return (
    <Modal opened onClose={onClose} title={<bdi>{nameOf(course, lang)}</bdi>}>
      <Stack>
        <dl className={css.facts}>
          <dt>{t('code')}</dt>
          <dd>
            <Code>{course.code}</Code> · {words('credit_hours', { count: course.credit_hours })}
          </dd>
          {chip.term && (
            <>
              <dt>{t('taken_in')}</dt>
              <dd>
                <bdi>{nameOf(chip.term, lang)}</bdi>
                {chip.letter && (
                  <>
                    {' · '}
                    <Code>{chip.letter}</Code>
                  </>
                )}
              </dd>
            </>
          )}
          {plan && (
            <>
              <dt>{t('in_plan')}</dt>
              <dd>{words('level_semester', { level: plan.level, semester: plan.semester })}</dd>
            </>
          )}
          {plan && (plan.state === 'missing' || plan.excused) && (
            <>
              <dt>{t('can_it_be_taken')}</dt>
              <dd>
                {plan.excused ? (
                  t('excused_text')
                ) : chip.requested ? (
                  t('requested_in', { term: nameOf(chip.requested) })
                ) : plan.open ? (
                  words('can_take')
                ) : (
                  <>
                    {words('needs')} <Code>{plan.lacks.join(', ')}</Code>
                  </>
                )}
                {plan.failed_attempts > 0 && <> · {words('failed_attempts', { count: plan.failed_attempts })}</>}
              </dd>
            </>
          )}
          {chip.taken && (
            <>
              <dt>{t('counts_for')}</dt>
              <dd>{chip.counts.length ? list(chip.counts) : t('counts_nowhere')}</dd>
              <dt>{t('could_count_for')}</dt>
              <dd>{chip.could.length ? list(chip.could) : t('nothing_else')}</dd>
            </>
          )}
        </dl>
        {onDecide && chip.taken && (
          <div className={css.legend}>
            {chip.could.length > 0 && (
              <Button variant="default" onClick={() => onDecide('settle')}>
                {t('settle')}
              </Button>
            )}
            <Button variant="default" onClick={() => onDecide('substitute')}>
              {t('substitute')}
            </Button>
          </div>
        )}
      </Stack>
    </Modal>
  )
}

/** Decides for one student, with a reason that the student reads too. */
export function DecideDialog({
  id,
  decision,
  requirements,
  onClose,
}: {
  id: number
  decision: PlanDecision
  requirements: AuditedRequirement
  onClose: () => void
}) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange('/students')
  const places =
    decision.kind === 'waive'
      ? []
      : decision.kind === 'settle'
        ? [...decision.course.counts, ...decision.course.could]
        : [...everyOf(requirements)].filter((one) => one.kind === 'courses' && one.state !== 'met')
  const [key, setKey] = useState<string | null>(
    decision.kind === 'waive'
      ? decision.requirement.key
      : decision.kind === 'settle'
        ? (decision.course.could[0]?.key ?? null)
        : null,
  )
  const [instead, setInstead] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const listed =
    [...everyOf(requirements)].find((one) => one.key === key)?.listed.filter((one) => one.state === 'missing') ?? []
  const save = async () => {
    const done = await go(() =>
      send(exceptionCalls.grantException, {
        params: { id },
        body: {
          kind: decision.kind,
          key: key ?? '',
          reason: reason.trim(),
          ...(decision.kind !== 'waive' && { course_id: decision.course.course.id }),
          ...(decision.kind === 'substitute' && { for_course_id: instead === null ? null : Number(instead) }),
        },
      }),
    )
    if (!done) return
    notify.done(t('decision_saved'))
    onClose()
  }
  const title =
    decision.kind === 'waive'
      ? t(decision.requirement.kind === 'hand' ? 'confirm_title' : 'waive_title', {
          name: nameOf(decision.requirement, lang),
        })
      : t(decision.kind === 'settle' ? 'settle_title' : 'substitute_title', { code: decision.course.course.code ?? '' })
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack>
        {problem !== null && <Problems error={problem} />}
        {decision.kind !== 'waive' && (
          <Select
            label={t('for_requirement')}
            searchable
            value={key}
            onChange={(value) => {
              setKey(value)
              setInstead(null)
            }}
            data={places.map((place) => ({ value: place.key, label: nameOf(place, lang) }))}
          />
        )}
        {decision.kind === 'substitute' && listed.length > 0 && (
          <Select
            label={<Optional label={t('in_place_of')} />}
            searchable
            value={instead}
            onChange={setInstead}
            data={listed.map(({ course }) => ({
              value: String(course.id),
              label: `${course.code} ${nameOf(course, lang)}`,
            }))}
          />
        )}
        <Textarea
          label={t('decision_reason')}
          description={t('decision_reason_text')}
          autosize
          minRows={2}
          maxLength={500}
          required
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <div className={css.legend}>
          <Submit
            loading={busy}
            missing={[!key && t('for_requirement'), !reason.trim() && t('decision_reason')]}
            onClick={() => void save()}
          >
            {t('decide_so')}
          </Submit>
          <Button variant="default" disabled={busy} onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </Stack>
    </Modal>
  )
}

/** What was decided for the student: what, by whom, why; also what was taken back. */
export function Decided({
  id,
  requirements,
  decides,
}: {
  id: number
  requirements: AuditedRequirement
  decides: boolean
}) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(exceptionCalls.exceptions, { params: { id } })
  const { send } = useChange('/students')
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data?.data.length) return null
  const names = new Map([...everyOf(requirements)].map((one) => [one.key, one]))
  return (
    <Card title={t('decided')}>
      <ul className={css.decided}>
        {data.data.map((one) => (
          <li key={one.id}>
            <span>
              <bdi>{nameOf(names.get(one.key), lang) || one.key}</bdi>{' '}
              <span className={css.dim}>
                {t(`decision_${one.kind}`)}
                {one.course && (
                  <>
                    {' '}
                    <Code>{one.course.code}</Code>
                  </>
                )}
                {one.for_course && (
                  <>
                    {' → '}
                    <Code>{one.for_course.code}</Code>
                  </>
                )}
              </span>
              <br />
              <span dir="auto">{one.reason}</span>
            </span>
            <span className={css.dim}>
              {one.granted_by && <bdi>{nameOf(one.granted_by, lang)}</bdi>} {formatInstant(one.granted_at, lang)}
              {one.revoked_at ? (
                <> · {t('taken_back', { reason: one.revoked_reason ?? '' })}</>
              ) : (
                decides && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    onClick={() =>
                      void askReason({
                        title: t('take_back_title'),
                        action: t('take_back'),
                        go: (reason: string) =>
                          send(exceptionCalls.revokeException, {
                            params: { id, exception_id: one.id },
                            body: { reason },
                          }),
                      })
                    }
                  >
                    {t('take_back')}
                  </Button>
                )
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
