import { Button } from '@mantine/core'
import { IconHeart, IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act, Code, Empty, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { internshipPaperCalls } from '../certificate/certificate.contract.ts'
import { logbookOfIntern } from '../outlets.contract.ts'
import { ReasonList } from '../reasons.web.tsx'
import { emtyazIntern, emtyazInternCalls as calls, type InternDetail } from './intern.contract.ts'
import { INTERN_PATHS, type InternRow } from './row.web.ts'
import { InternRotations } from './rotations.web.tsx'
import { YearLine } from './year.web.tsx'
import css from '../internship.module.css'

const Logbook = filled(logbookOfIntern)
const AddRotation = partDialog(async () => (await import('./add.web.tsx')).AddRotation)
const ElectiveWishes = partDialog(async () => (await import('./wishes.web.tsx')).ElectiveWishes)
/** An intern with the whole year: what lies where, what of it counts, what lacks, and what is wished for. */
export default function ShowIntern() {
  const t = useT('internship')
  const me = useMe()
  const say = useLabel()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.show, { params: { id } })
  const [open, setOpen] = useState<'add' | 'wishes' | null>(null)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <Page title={null}>
        <Bone height={480} />
      </Page>
    )
  const of = data.data
  const intern = of.intern as unknown as InternRow
  return (
    <Page
      title={intern.student}
      subtitle={
        <Dotted>
          <Code>{intern.student.code}</Code>
          {me.can('access_emtyazIntern') ? (
            <Link to={to('/emtyaz/board/:id', { id: of.year.id })}>
              <bdi>{nameOf(of.year)}</bdi>
            </Link>
          ) : (
            <bdi>{nameOf(of.year)}</bdi>
          )}
          {intern.completed_on && (
            <Status is="finished" label={t('completed_on', { day: formatDate(intern.completed_on) })} />
          )}
        </Dotted>
      }
      action={
        (of.adds || of.asks) && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('add')}>
            {of.adds ? t('add_rotation') : t('ask_rotation')}
          </Button>
        )
      }
    >
      <Stack>
        <Card
          title={t('year')}
          text={t('from_until', { from: formatDate(of.year.starts_on), until: formatDate(of.year.ends_on) })}
          aside={
            intern.abilities.includes('edit') && (
              <Button
                size="compact-sm"
                variant="subtle"
                component={Link}
                to={to('/emtyaz/interns/:id', { id })}
                leftSection={<IconPencil size={14} aria-hidden />}
              >
                {say(emtyazIntern.editing)}
              </Button>
            )
          }
        >
          <YearLine of={of} />
        </Card>
        <InternRotations of={of} />
        <Requirements of={of} />
        <Logbook id={id} />
        {of.year.electives > 0 && <WishesCard of={of} intern={intern} onOpen={() => setOpen('wishes')} />}
        <Completion id={id} of={of} intern={intern} />
      </Stack>
      {open === 'add' && <AddRotation id={id} of={of} onClose={() => setOpen(null)} />}
      {open === 'wishes' && <ElectiveWishes id={id} intern={intern} onClose={() => setOpen(null)} />}
    </Page>
  )
}

/** What is needed of each training type, done and planned. */
function Requirements({ of }: { of: InternDetail }) {
  const t = useT('internship')
  const weeks = (days: number) => formatNumber(Math.round((days / 7) * 10) / 10)
  const stateOf = (one: InternDetail['requirements'][number]) =>
    one.done >= one.days ? (
      <Status is="met" label={t('met')} />
    ) : one.to_make_up > 0 ? (
      <Status is="unmet" label={t('to_make_up', { weeks: weeks(one.to_make_up) })} />
    ) : one.lacking > 0 ? (
      <Status is="missing" label={t('lacking', { weeks: weeks(one.lacking) })} />
    ) : (
      <Status is="in_progress" label={t('planned')} />
    )
  return (
    <Card title={t('requirements')}>
      {of.requirements.length === 0 ? (
        <Empty title={t('no_requirements')} text={t('no_requirements_text')} />
      ) : (
        <ul className={css.rows}>
          {of.requirements.map((one) => (
            <li key={one.type.id} className={css.row}>
              <div className={css.what}>
                <Name row={one.type} />
                <div className={css.dim}>
                  <bdi>{nameOf(one.course)}</bdi>
                </div>
              </div>
              <span className={css.done}>
                <span className={css.track} aria-hidden>
                  <span style={{ inlineSize: `${(100 * one.done) / one.days}%` }} />
                  <span
                    style={{
                      inlineSize: `${Math.min(100 - (100 * one.done) / one.days, (100 * one.planned) / one.days)}%`,
                    }}
                  />
                </span>
                {t('weeks_of', { done: weeks(one.done), weeks: weeks(one.days) })}
              </span>
              <span className={css.state}>{stateOf(one)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function WishesCard({ of, intern, onOpen }: { of: InternDetail; intern: InternRow; onOpen: () => void }) {
  const t = useT('internship')
  return (
    <Card
      title={t('wishes')}
      text={t('wishes_text', { count: formatNumber(of.year.electives) })}
      aside={
        of.wishes && (
          <Button size="compact-sm" variant="subtle" leftSection={<IconHeart size={14} aria-hidden />} onClick={onOpen}>
            {t('wish')}
          </Button>
        )
      }
    >
      {intern.wishes.length === 0 ? (
        <Empty title={t('no_wishes')} />
      ) : (
        <ol className={css.missing}>
          {intern.wishes.map((one) => (
            <li key={one.id}>{one.type ? <Name row={one.type} /> : '–'}</li>
          ))}
        </ol>
      )}
      {intern.with_student && (
        <p>
          {t('with')} <bdi>{nameOf(intern.with_student)}</bdi>
        </p>
      )}
    </Card>
  )
}

/** What is missing until the year is done, and its end. */
function Completion({ id, of, intern }: { id: number; of: InternDetail; intern: InternRow }) {
  const t = useT('internship')
  const { send } = useChange(...INTERN_PATHS)
  const complete = () =>
    act({
      ask: { title: t('complete_question', { name: nameOf(intern.student) }), action: t('complete') },
      go: () => send(calls.complete, { params: { id }, body: { version: intern.version } }),
      done: () => t('completed'),
    })
  const me = useMe()
  const certificate = (lang: 'ar' | 'en') =>
    act({ go: () => download(internshipPaperCalls.certificate, { params: { id }, body: { lang } }), done: () => null })
  const reopen = async () => {
    const reason = await askReason({
      title: t('reopen_question', { name: nameOf(intern.student) }),
      action: t('reopen'),
    })
    if (reason === null) return
    await act({
      go: () => send(calls.reopen, { params: { id }, body: { reason, version: intern.version } }),
      done: () => t('reopened'),
    })
  }
  if (intern.completed_on)
    return (
      <Card
        title={t('end_of_year')}
        aside={
          of.completes && (
            <Button size="compact-sm" variant="subtle" onClick={() => void reopen()}>
              {t('reopen')}
            </Button>
          )
        }
      >
        <p>{t('completed_on', { day: formatDate(intern.completed_on) })}</p>
        {me.can('issue_paper') && (
          <div className={css.starts}>
            {(['ar', 'en'] as const).map((lang) => (
              <Button key={lang} size="compact-sm" variant="default" onClick={() => void certificate(lang)}>
                {lang === 'ar' ? t('certificate_ar') : t('certificate_en')}
              </Button>
            ))}
          </div>
        )}
      </Card>
    )
  return (
    <Card
      title={t('end_of_year')}
      aside={
        of.completes &&
        of.missing.length === 0 && (
          <Button size="compact-sm" onClick={() => void complete()}>
            {t('complete')}
          </Button>
        )
      }
    >
      {of.missing.length === 0 ? (
        <p>{t('nothing_missing')}</p>
      ) : (
        <>
          <p>{t('still_missing')}</p>
          <ReasonList of={of.missing} />
        </>
      )}
    </Card>
  )
}
