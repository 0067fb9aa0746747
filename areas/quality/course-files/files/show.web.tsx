import { Button } from '@mantine/core'
import { resourceCalls } from '#kit/contract/index.ts'
import type { Row } from '#kit/contract/resource.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Facts, ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Code, Failed } from '#kit/web/feedback/index.ts'
import { formatDate, formatList, nameOf, problemText, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory, StepLine, useSteps } from '#kit/web/workflow/index.ts'
import { Report } from '../reports/report.web.tsx'
import { CourseFileComments } from './comments.web.tsx'
import {
  courseFile,
  courseFileCalls,
  courseFileFlow,
  courseFileSteps,
  type CheckedCourseFile,
} from './course-file.contract.ts'
import { OPEN_STATES } from './course-file.rules.ts'
import { CourseFileParts } from './parts.web.tsx'
import css from '../course-files.module.css'

const calls = resourceCalls(courseFile)
type Named = { name: string; name_local: string; code?: string }
export type ShownCourseFile = Row<typeof courseFile> & { offering: Named; term: Named | null; faculty: Named | null }

/** One course file: where it stands, its parts, the report, what was said, and its history. */
export default function ShowCourseFile() {
  const t = useT('course-files')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  const { data: checked } = useCall(courseFileCalls.check, { params: { id } })
  const row = data?.data as unknown as ShownCourseFile | undefined
  if (error && !row) return <Failed error={error} retry={() => void refetch()} />
  if (!row)
    return (
      <Page title={'\u00A0'}>
        <Bone height={420} />
      </Page>
    )
  return (
    <Page
      title={row.offering}
      subtitle={
        <Dotted>
          {row.offering.code && <Code>{row.offering.code}</Code>}
          {row.term && <bdi>{nameOf(row.term)}</bdi>}
        </Dotted>
      }
    >
      <Stack>
        <Standing row={row} checked={checked?.data} />
        <ScreenTabs
          tabs={[
            {
              key: 'parts',
              label: t('parts'),
              content: () => <CourseFileParts row={row} checked={checked?.data} />,
            },
            { key: 'report', label: t('report'), content: () => <Report id={id} version={row.version} /> },
            {
              key: 'comments',
              label: t('comments'),
              count: row.comments,
              content: () => <CourseFileComments id={id} parts={checked?.data.parts ?? []} />,
            },
            {
              key: 'history',
              label: t('history'),
              content: () => (
                <Card>
                  <StepHistory flow={courseFileFlow} calls={courseFileSteps} id={id} />
                </Card>
              ),
            },
          ]}
        />
      </Stack>
    </Page>
  )
}

/** Where it stands, what is next, and what is missing for that. */
function Standing({ row, checked }: { row: ShownCourseFile; checked: CheckedCourseFile | undefined }) {
  const t = useT('course-files')
  const steps = useSteps(courseFileFlow as never, courseFileSteps, {
    name: (one: ShownCourseFile) => nameOf(one.offering),
    refreshes: ['/courseFile', '/quality', '/users/work'],
  })
  const actions = row.removed ? [] : steps.actions(row)
  const next = row.removed ? null : steps.next(row)
  return (
    <Card title={t('standing')} aside={<StateBadge flow={courseFileFlow} state={row.status ?? 'draft'} />}>
      <div className={css.standing}>
        <StepLine flow={courseFileFlow} calls={courseFileSteps} id={row.id} state={row.status ?? 'draft'} />
        <Facts
          items={[
            {
              label: t('instructors'),
              value: row.instructors.length ? formatList(row.instructors.map((one) => nameOf(one))) : '–',
            },
            { label: t('due_on'), value: row.due_on ? formatDate(row.due_on) : '–' },
            {
              label: t('offering'),
              value: <Link to={to('/offerings/:id', { id: row.offering_id ?? 0 })}>{t('to_offering')}</Link>,
            },
          ]}
        />
        {checked && checked.reasons.length > 0 && OPEN_STATES.has(row.status ?? '') && (
          <div className={css.missing}>
            <strong>{t('still_missing')}</strong>
            <ul>
              {checked.reasons.map((one) => (
                <li key={problemText(one)}>{problemText(one)}</li>
              ))}
            </ul>
          </div>
        )}
        {actions.length > 0 && (
          <div className={css.line}>
            {actions.map(({ key, label, disabled, onSelect, tone }) => (
              <Button
                key={key}
                variant={key === next?.key ? 'filled' : 'default'}
                {...(tone === 'refused' && { color: 'red' })}
                disabled={disabled !== undefined}
                title={disabled}
                onClick={() => onSelect?.()}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
      </div>
    </Card>
  )
}
