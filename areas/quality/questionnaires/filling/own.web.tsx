import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { TaughtResults } from '../results/taught.web.tsx'
import { fillCalls, type DueQuestionnaire } from './fill.contract.ts'
import css from '../questionnaires.module.css'

/** What somebody is asked: what waits first, and what is answered. */
export default function OwnQuestionnaires() {
  const t = useT('questionnaires')
  const { data, error, refetch } = useCall(fillCalls.own)
  const { may } = useMe()
  const all = data?.data
  return (
    <Page title={t('mine')} subtitle={t('mine_text')} wide={false}>
      <Stack>
        {may('results_questionnaire') && <TaughtResults />}
        {error && !all ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !all ? (
          <Bone height={240} />
        ) : all.length === 0 ? (
          <Empty title={t('nothing_asked')} text={t('nothing_asked_text')} />
        ) : (
          <Stack>
            <Dues title={t('to_answer')} all={all.filter((one) => !one.answered)} />
            <Dues title={t('answered_already')} all={all.filter((one) => one.answered)} />
          </Stack>
        )}
      </Stack>
    </Page>
  )
}

function Dues({ title, all }: { title: string; all: readonly DueQuestionnaire[] }) {
  const t = useT('questionnaires')
  if (all.length === 0) return null
  return (
    <Card title={title}>
      <ul className={css.dues}>
        {all.map((one) => (
          <li key={one.id}>
            <Due of={one} />
            <Status
              is={one.answered ? 'finished' : 'waits'}
              label={one.answered ? t('answered') : one.obligatory ? t('obligatory') : t('voluntary')}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Due({ of }: { of: DueQuestionnaire }) {
  const t = useT('questionnaires')
  const below = [
    of.instructor && nameOf(of.instructor),
    of.course && nameOf(of.type),
    t('until', { date: formatDate(of.closes_on) }),
  ].filter(Boolean)
  const words = (
    <>
      <strong>{nameOf(of.course ?? of.type)}</strong>
      <small>{below.join(' · ')}</small>
    </>
  )
  return of.answered ? <span>{words}</span> : <Link to={to('/questionnaire_form/:id', { id: of.id })}>{words}</Link>
}
