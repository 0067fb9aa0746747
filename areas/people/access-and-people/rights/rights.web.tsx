import { Select } from '@mantine/core'
import { useState } from 'react'
import { PERMISSION_KEYS } from '#access/permissions.contract.ts'
import { dayOf } from '#kit/contract/day.ts'
import { f } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/api/index.ts'
import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Empty, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatDate, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { ASKED_RECORDS, REACH_WORDS, GRANT_WAYS, rightsCalls } from './rights.contract.ts'
import type { RightHolder, RightsPath } from './rights.contract.ts'
import css from './rights.module.css'
import { PlaceName, useDays, useRightName } from './words.web.tsx'

/** Who may do something somewhere, and why somebody may. */
export default function Rights() {
  const t = useT('access-and-people')
  return (
    <Page title={t('rights_screen')} subtitle={t('rights_screen_text')}>
      <ScreenTabs
        tabs={[
          { key: 'who', label: t('who_title'), content: () => <Who /> },
          { key: 'why', label: t('why_title'), content: () => <Why /> },
        ]}
      />
    </Page>
  )
}

function RightSelect({ value, onChange }: { value: string | null; onChange: (key: string | null) => void }) {
  const t = useT('access-and-people')
  const right = useRightName()
  return (
    <Select
      label={t('right')}
      placeholder={t('right_choose')}
      searchable
      limit={80}
      data={PERMISSION_KEYS.map((key) => ({ value: key as string, label: right(key) }))}
      value={value}
      onChange={onChange}
    />
  )
}

/** By what somebody holds a right, in words. */
function Way({ path }: { path: Pick<RightsPath, 'way' | 'role' | 'stands_in_for'> }) {
  const t = useT('access-and-people')
  const say = useLabel()
  const l = useLanguage()
  const way = GRANT_WAYS.find(({ value }) => value === path.way)!
  return (
    <span>
      {say(way.label)}
      {path.role && (
        <>
          {': '}
          <Name row={path.role} />
        </>
      )}
      {path.stands_in_for && ` · ${t('stands_in_for', { name: nameOf(path.stands_in_for, l) })}`}
    </span>
  )
}
function Where({ path }: { path: Pick<RightsPath, 'reach' | 'scope'> }) {
  const say = useLabel()
  const reach = REACH_WORDS.find(({ value }) => value === path.reach)!
  return path.reach === 'scope' ? <PlaceName scope={path.scope} /> : <span>{say(reach.label)}</span>
}

function Who() {
  const t = useT('access-and-people')
  const l = useLanguage()
  const days = useDays()
  const [query, setQuery] = useSearchParams()
  const key = query.get('right')
  const choose = (right: string | null) => setQuery(right ? { right } : {}, { replace: true })
  return (
    <Stack>
      <Card>
        <div className={css.ask}>
          <RightSelect value={key} onChange={choose} />
        </div>
      </Card>
      {key ? (
        <ListScreen<RightHolder & { readonly [key: string]: unknown }>
          key={key}
          call={rightsCalls.who as never}
          fixed={{ permission: key }}
          name="/rights/who"
          page={false}
          title={['Who may do what', 'من يملك أي صلاحية']}
          order={['user', 'asc']}
          filters={{
            faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
            department_id: f.lookup(['Department', 'القسم'], 'department', { dependsOn: 'faculty_id' }),
            bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw'),
            program_id: f.lookup(['Program', 'البرنامج'], 'program'),
            in_force: f.flag(['In force', 'سارٍ']),
          }}
          rowName={(row) => nameOf(row.user, l)}
          rowHref={(row) => to('/users/access/:id', { id: row.user.id })}
          columns={[
            { key: 'user', label: ['Who', 'من'], sort: true, width: 230, cell: (row) => <Name row={row.user} /> },
            { key: 'way', label: ['By what', 'عن طريق'], width: 300, cell: (row) => <Way path={row} /> },
            { key: 'scope', label: ['Where', 'النطاق'], width: 240, cell: (row) => <Where path={row} /> },
            {
              key: 'valid_to',
              label: ['Days', 'المدة'],
              sort: true,
              width: 200,
              cell: (row) => days(row),
            },
            {
              key: 'since',
              label: ['Given', 'تاريخ المنح'],
              sort: true,
              width: 130,
              cell: (row) => formatDate(dayOf(row.since), 'short', l),
            },
            {
              key: 'by',
              label: ['By whom', 'المانح'],
              width: 180,
              cell: (row) => (row.by ? <Name row={row.by} /> : '–'),
            },
          ]}
          empty={{ title: t('who_none'), text: t('who_none_text') }}
        />
      ) : (
        <Empty title={t('who_ask')} text={t('who_ask_text')} />
      )}
    </Stack>
  )
}

function Why() {
  const t = useT('access-and-people')
  const say = useLabel()
  const [query] = useSearchParams()
  const [user, setUser] = useState<number | null>(Number(query.get('user')) || null)
  const [key, setKey] = useState<string | null>(query.get('right'))
  const [type, setType] = useState<(typeof ASKED_RECORDS)[number]['value']>('student')
  const [record, setRecord] = useState<number | null>(null)
  return (
    <Stack>
      <Card>
        <div className={css.ask}>
          <LookupInput
            resource="user"
            name="user"
            label={t('person')}
            defaultValue={user}
            onChange={(id) => setUser(id)}
          />
          <RightSelect value={key} onChange={setKey} />
          <Select
            label={t('record_kind')}
            allowDeselect={false}
            data={ASKED_RECORDS.map(({ value, label }) => ({ value, label: say(label) }))}
            value={type}
            onChange={(kind) => {
              setType(kind as typeof type)
              setRecord(null)
            }}
          />
          <LookupInput
            key={type}
            resource={type}
            name="record"
            label={t('record_optional')}
            defaultValue={record}
            onChange={(id) => setRecord(id)}
          />
        </div>
      </Card>
      {user && key ? (
        <Paths user={user} right={key} record={record ? { type, id: record } : undefined} />
      ) : (
        <Empty title={t('why_ask')} text={t('why_ask_text')} />
      )}
    </Stack>
  )
}

/** Every way by which the person holds the right; those that reach the record first. */
function Paths({
  user,
  right,
  record,
}: {
  user: number
  right: string
  record: { type: 'student' | 'instructor' | 'offering' | 'program'; id: number } | undefined
}) {
  const t = useT('access-and-people')
  const l = useLanguage()
  const days = useDays()
  const { data, error, refetch } = useCall(rightsCalls.why, {
    params: { id: user },
    body: { permission: right, ...(record && { record }) },
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone />
  const counts = data.data.filter((one) => one.in_force && one.reaches !== false)
  const name = nameOf(data.meta.user, l)
  const about = data.meta.record && nameOf(data.meta.record, l)
  const verdict = data.meta.blocked
    ? t('why_blocked', { name })
    : counts.length
      ? about
        ? t('why_yes_record', { name, record: about })
        : t('why_yes', { name })
      : about
        ? t('why_no_record', { name, record: about })
        : t('why_no', { name })
  const rank = (one: RightsPath) => (one.in_force && one.reaches !== false ? 0 : 1)
  return (
    <Card title={verdict}>
      <ul className={css.lines}>
        {data.data
          .toSorted((a, b) => rank(a) - rank(b))
          .map((one, i) => (
            <li key={i}>
              <div className={rank(one) ? css.faint : undefined}>
                <strong>
                  <Way path={one} />
                </strong>
                <p className={css.dim}>
                  <Where path={one} />
                  {' · '}
                  {days(one)}
                  {' · '}
                  {t('given_since', { day: formatDate(dayOf(one.since), 'short', l) })}
                  {one.by && ` · ${t('given_by', { name: nameOf(one.by, l) })}`}
                </p>
              </div>
              {!one.in_force ? (
                <Status is="opens_later" label={t('begins_later')} />
              ) : one.reaches === null ? (
                <Status is="valid" label={t('in_force')} />
              ) : one.reaches ? (
                <Status is="valid" label={t('reaches_it')} />
              ) : (
                <Status is="closed" label={t('reaches_not')} />
              )}
            </li>
          ))}
      </ul>
    </Card>
  )
}
