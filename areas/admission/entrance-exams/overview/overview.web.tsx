import { Button, Select } from '@mantine/core'
import { IconCalendarPlus, IconClipboardCheck, IconTableImport, IconUsersPlus } from '@tabler/icons-react'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Facts, ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, act } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatNumber, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { entranceBookingCalls as calls, type PlacedAll } from '../bookings/booking.contract.ts'
import { ENTRANCE_KINDS, type EntranceKind } from '../words.contract.ts'
import css from '../entrance-exams.module.css'

type Overview = ResponseOf<typeof calls.overview>['data']

/** Where the exams of an admission stand: who waits for an appointment, how many places are free, what it came to. */
export default function EntranceExams() {
  const t = useT('entrance-exams')
  const lang = useLanguage()
  const [address, setAddress] = useSearchParams()
  const { most, more } = useMost()
  const { data, error, refetch } = useCall(calls.admissions, { query: { most } }, { placeholderData: keepPreviousData })
  const admissions = data?.data
  const given = Number(address.get('admission_id'))
  const chosen = given || admissions?.[0]?.id
  return (
    <Page title={t('entrance_exams')} subtitle={t('entrance_exams_text')}>
      <Stack>
        {error && !admissions ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !admissions ? (
          <Bone height={360} />
        ) : admissions.length === 0 || chosen === undefined ? (
          <Empty
            icon={<IconClipboardCheck size={28} stroke={1.5} aria-hidden />}
            title={t('no_admissions')}
            text={t('no_admissions_text')}
          />
        ) : (
          <>
            <div className={css.choose}>
              <Select
                aria-label={t('admission')}
                searchable
                allowDeselect={false}
                data={admissions.map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
                value={String(chosen)}
                onChange={(value) => value && setAddress({ admission_id: value }, { replace: true })}
              />
              <MoreRows shown={admissions.length} total={data.total} onMore={more} />
            </div>
            <OfAdmission key={chosen} id={chosen} />
          </>
        )}
      </Stack>
    </Page>
  )
}

function OfAdmission({ id }: { readonly id: number }) {
  const t = useT('entrance-exams')
  const { data, error, refetch } = useCall(calls.overview, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  const of = data.data
  const list = (kind: EntranceKind) =>
    `${to('/management/admission/appointments')}?${new URLSearchParams({ filters: JSON.stringify({ admission_id: [id], kind: [kind] }) })}`
  return (
    <>
      <Card title={t('results')} aside={<ImportButton id={id} />}>
        <Facts
          short
          items={[
            { label: t('awaiting'), value: formatNumber(of.awaiting) },
            { label: t('passed'), value: formatNumber(of.passed) },
            { label: t('failed'), value: formatNumber(of.failed) },
            ...(of.min_exam === null ? [] : [{ label: t('passed_from_label'), value: `${of.min_exam} %` }]),
          ]}
        />
      </Card>
      <Cards>
        {of.kinds.map((one) => (
          <Kind key={one.kind} admission={id} of={one} list={list(one.kind)} />
        ))}
      </Cards>
    </>
  )
}

function ImportButton({ id }: { readonly id: number }) {
  const t = useT('entrance-exams')
  return may('enter_applicant_result') ? (
    <Button
      size="xs"
      component={Link}
      to={to('/entrance_exams/results/:id', { id })}
      leftSection={<IconTableImport size={16} aria-hidden />}
    >
      {t('import_results')}
    </Button>
  ) : null
}

/** The exam or the interview: its places, who has none, and giving all of them one. */
function Kind({
  admission,
  of,
  list,
}: {
  readonly admission: number
  readonly of: Overview['kinds'][number]
  readonly list: string
}) {
  const t = useT('entrance-exams')
  const say = useLabel()
  const client = useQueryClient()
  const [job, setJob] = useState<string | null>(null)
  const [result, setResult] = useState<PlacedAll | null>(null)
  const { busy, send } = useChange()
  const kind = ENTRANCE_KINDS.find(({ value }) => value === of.kind)
  const place = () =>
    void act({
      ask: {
        title: t('place_title'),
        consequence: t('place_text'),
        action: t('place_all'),
        whom: { count: of.missing, names: [] },
      },
      go: async () => {
        const { job_id } = await send(calls.placeAll, { body: { admission_id: admission, kind: of.kind } })
        setResult(null)
        setJob(job_id)
      },
      done: () => null,
    })
  return (
    <Card
      title={kind && say(kind.label)}
      aside={
        <div className={css.buttons}>
          <Button size="xs" variant="default" component={Link} to={list}>
            {t('appointments')}
          </Button>
          {may('manage_entrance_exam') && (
            <Button
              size="xs"
              variant="default"
              component={Link}
              to={`${to('/management/admission/appointments/add')}?admission_id=${admission}&kind=${of.kind}`}
              leftSection={<IconCalendarPlus size={16} aria-hidden />}
            >
              {t('add_appointment')}
            </Button>
          )}
        </div>
      }
    >
      <Facts
        short
        items={[
          { label: t('appointments_to_come'), value: formatNumber(of.appointments) },
          { label: t('free_places'), value: `${formatNumber(of.free)} / ${formatNumber(of.places)}` },
          { label: t('with_appointment'), value: formatNumber(of.booked) },
          { label: t('without_appointment'), value: formatNumber(of.missing) },
        ]}
      />
      {job ? (
        <ProgressJob
          key={job}
          id={job}
          label={t('placing')}
          onDone={(done) => {
            setJob(null)
            setResult(done as PlacedAll)
            void refresh(client, '/entrance-exams', '/entrance-appointments', '/applicants')
          }}
        />
      ) : (
        may('manage_entrance_exam') &&
        of.missing > 0 && (
          <div className={`${css.buttons} ${css.below}`}>
            <Button size="xs" loading={busy} leftSection={<IconUsersPlus size={16} aria-hidden />} onClick={place}>
              {t('place_all')}
            </Button>
          </div>
        )
      )}
      {result && <Placed of={result} />}
    </Card>
  )
}

/** How many got an appointment, and who did not, with the reason. */
function Placed({ of }: { readonly of: PlacedAll }) {
  const t = useT('entrance-exams')
  const kit = useT('kit')
  return (
    <>
      <p role="status">{t('placed_all', { n: formatNumber(of.placed) })}</p>
      {of.unplaced.length > 0 && (
        <>
          <p>{t('unplaced_all', { n: formatNumber(of.unplaced.length + of.more) })}</p>
          <ul className={css.list}>
            {of.unplaced.map((one) => (
              <li key={one.id}>
                <Link to={to('/applicants/:id', { id: one.id })}>
                  <Code>{one.code}</Code>
                </Link>{' '}
                <bdi>{one.name}</bdi>: {problemText(one.why)}
              </li>
            ))}
            {of.more > 0 && <li>{kit('and_more', { count: of.more })}</li>}
          </ul>
        </>
      )}
    </>
  )
}
