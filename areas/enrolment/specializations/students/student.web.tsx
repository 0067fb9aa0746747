import { Button } from '@mantine/core'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, Name, Status, notify } from '#kit/web/feedback/index.ts'
import { formatInstant, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { preferenceCalls } from '../preferences/preferences.contract.ts'
import { WindowCard } from '../preferences/wishes.web.tsx'
import { studentCalls, type GivenRow } from './students.contract.ts'
import css from '../specializations.module.css'

/** How a student was specialised, the wishes, and what became of each. */
export default function StudentSpecializations() {
  const t = useT('specializations')
  const lang = useLanguage()
  const me = useMe()
  const id = Number(useParams().student_id)
  const { data, error, refetch } = useCall(studentCalls.given, { params: { id } })
  const wishes = useCall(preferenceCalls.windows, { query: { student_id: String(id) as never } })
  const shown = data?.data
  if (error && !shown) {
    return (
      <Page title={t('student_specializations')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  return (
    <Page
      title={shown?.student}
      subtitle={
        shown ? (
          <Dotted>
            <span>{shown.student.code}</span>
            <bdi>{nameOf(shown.program, lang)}</bdi>
          </Dotted>
        ) : (
          '\u00A0'
        )
      }
      wide={false}
    >
      {!shown || !wishes.data ? (
        <Bone height={320} />
      ) : (
        <Stack>
          {shown.rows.map((row) => (
            <Given key={row.id} row={row} mayRemove={me.can('bulk_specialize')} />
          ))}
          {wishes.data.data.windows.map((window) => (
            <WindowCard key={`${window.id} ${window.version}`} window={window} student={id} />
          ))}
          {!shown.rows.length && !wishes.data.data.windows.length && (
            <Empty title={t('student_nothing')} text={t('student_nothing_text')} />
          )}
        </Stack>
      )}
    </Page>
  )
}

function Given({ row, mayRemove }: { row: GivenRow; mayRemove: boolean }) {
  const t = useT('specializations')
  const lang = useLanguage()
  const { send } = useChange('/specialization', '/specialization-time', '/students')
  const remove = async () => {
    const reason = await askReason({
      title: t('take_back_title', { program: nameOf(row.into, lang) }),
      text: t('take_back_text', { program: nameOf(row.from, lang) }),
      action: t('take_back'),
      danger: true,
      go: (why) => send(studentCalls.remove, { params: { id: row.id }, body: why ? { reason: why } : {} }),
    })
    if (reason !== null) notify.done(t('taken_back'))
  }
  return (
    <Card
      title={<Name row={row.into} />}
      aside={
        row.removed_at ? (
          <Status is="removed" label={t('was_taken_back')} />
        ) : (
          <Status
            is="met"
            label={row.preference ? t('wish_number', { number: formatNumber(row.preference) }) : t('by_hand')}
          />
        )
      }
    >
      <p className={css.dim}>
        {t('given_line', { from: nameOf(row.from, lang), at: formatInstant(row.assigned_at, lang) })}
        {row.assigned_by && (
          <>
            {' · '}
            <bdi>{nameOf(row.assigned_by, lang)}</bdi>
          </>
        )}
      </p>
      {(row.removed_reason ?? row.reason) && (
        <p>
          <bdi>{row.removed_reason ?? row.reason}</bdi>
        </p>
      )}
      {mayRemove && row.abilities.includes('remove') && (
        <Button size="xs" variant="default" color="red" onClick={() => void remove()}>
          {t('take_back')}
        </Button>
      )}
    </Card>
  )
}
