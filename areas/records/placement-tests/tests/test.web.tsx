import { IconTableImport, IconUsersPlus } from '@tabler/icons-react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Name, Status, confirm, notify } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatDate, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import type { Row } from '#kit/contract/index.ts'
import { STATES, placementTestCalls, placementTest } from './test.contract.ts'
import css from '../placement-tests.module.css'

type Test = Row<typeof placementTest>

/** Students of a test, each with the state and the level. */
function Students({ row }: { readonly row: Test }) {
  const t = useT('placement-tests')
  const say = useLabel()
  const lang = useLanguage()
  const { data, error, refetch } = useCall(placementTestCalls.placements, { params: { model: 'test', id: row.id } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={240} />
  const listed = data.data.filter((one) => one.state !== 'missing')
  const missing = data.data.length - listed.length
  return (
    <>
      <p className={css.dim}>{t('missing_count', { count: missing })}</p>
      {!listed.length ? (
        <Empty title={t('nobody')} text={t('nobody_text')} />
      ) : (
        <Table
          label={t('students')}
          className={css.table}
          rows={listed}
          rowKey={(one) => one.student.id}
          columns={[
            {
              key: 'student',
              label: t('student'),
              cell: (one) => (
                <>
                  <Name row={one.student} /> <Code>{one.student.code}</Code>
                </>
              ),
            },
            {
              key: 'state',
              label: t('state'),
              cell: (one) => {
                const state = STATES.find(({ value }) => value === one.state)!
                return <Status tone={state.tone} label={say(state.label)} />
              },
            },
            { key: 'score', label: t('score'), figure: true, cell: (one) => <Code>{one.score ?? '–'}</Code> },
            {
              key: 'level',
              label: t('level'),
              cell: (one) =>
                one.level_name ? (
                  <bdi>{nameOf({ name: one.level_name, name_local: one.level_name_local }, lang)}</bdi>
                ) : (
                  '–'
                ),
            },
            {
              key: 'taken_on',
              label: t('taken_on'),
              cell: (one) => (one.taken_on ? formatDate(one.taken_on, 'long', lang) : '–'),
            },
          ]}
        />
      )}
    </>
  )
}

interface Level {
  name: string
  name_local: string
  from_score: string
  to_score: string
}
/** Levels of a test, the lowest first: a line each, with the marks that lead there. */
function Levels({ levels }: { readonly levels: readonly Level[] }) {
  const lang = useLanguage()
  return (
    <ol className={css.levels}>
      {levels.map((one) => (
        <li key={one.from_score}>
          <bdi>{nameOf(one, lang)}</bdi>{' '}
          <Code>{`${formatNumber(Number(one.from_score))}–${formatNumber(Number(one.to_score))}`}</Code>
        </li>
      ))}
    </ol>
  )
}

export default resourceWeb(placementTest, {
  cells: { levels: ({ value }) => <Levels levels={(value ?? []) as readonly Level[]} /> },
  form: { initial: () => ({ max_score: '100', is_required: false }) },
  detail: {
    figures: (row) => [
      { label: ['To be taken', 'لم تُؤدَّ'], value: <Code>{formatNumber(row.due)}</Code> },
      { label: ['Results', 'النتائج'], value: <Code>{formatNumber(row.scored)}</Code> },
    ],
    panels: [
      {
        key: 'students',
        title: ['Students', 'الطلاب'],
        permission: ['access_placementResult', 'show_placementResult'],
        Content: Students,
      },
    ],
    useActions: () => {
      const t = useT('placement-tests')
      const me = useMe()
      const lang = useLanguage()
      const { send } = useChange('/placement_test', '/placement-tests', '/placement-results')
      return (row) => [
        ...(me.can('import_placementResult') && !row.removed
          ? [
              {
                key: 'import',
                label: t('import_results'),
                icon: <IconTableImport size={15} aria-hidden />,
                href: to('/settings/placement_test/import/:id', { id: row.id }),
              },
            ]
          : []),
        ...(me.can('add_placementResult') && !row.removed
          ? [
              {
                key: 'missing',
                label: t('create_missing'),
                icon: <IconUsersPlus size={15} aria-hidden />,
                onSelect: () =>
                  void confirm({
                    title: t('create_missing_title', { test: nameOf(row, lang) }),
                    consequence: t('create_missing_text'),
                    action: t('create_missing'),
                    go: async () => {
                      const { data } = await send(placementTestCalls.createMissing, {
                        params: { id: row.id },
                        body: {},
                      })
                      notify.done(t('created_count', { count: data.created }))
                    },
                  }),
              },
            ]
          : []),
      ]
    },
  },
})
