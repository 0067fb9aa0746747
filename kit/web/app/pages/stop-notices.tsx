import { Button } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useState } from 'react'
import { noticeCalls } from '#kit/contract/notices.ts'
import { useChange } from '../../api/hooks.ts'
import { Problems } from '../../feedback/problems.tsx'
import { loadTexts, useLabel, useT } from '../../i18n/catalogue.ts'
import { useLanguage } from '../../i18n/language.ts'
import { Link, useParams } from '../../router/index.ts'
import { Message } from './message.tsx'

/** Where the link in a mail leads that stops mails of its kind. Opening it changes nothing: programs look at links, too. */
export default function StopNotices() {
  const t = useT('notices')
  const l = useLanguage()
  const say = useLabel()
  const { token = '' } = useParams()
  const [stopped, setStopped] = useState<string | null>(null)
  const { busy, problem, go, send } = useChange()
  const stop = () =>
    go(async () => {
      const { data } = await send(noticeCalls.stopNoticeMails, { params: { token } })
      await loadTexts(data.area, l)
      setStopped(say([data.title.name, data.title.name_local]))
    })
  return stopped === null ? (
    <Message icon={IconMailOff} title={t('stop_title')} text={t('stop_text')}>
      {problem !== null && <Problems error={problem} />}
      <Button loading={busy} onClick={() => void stop()}>
        {t('stop_go')}
      </Button>
    </Message>
  ) : (
    <Message icon={IconMailOff} title={t('stopped_title')} text={t('stopped_text', { title: stopped })}>
      <Button component={Link} to="/profile/notices" variant="default">
        {t('notices_ways')}
      </Button>
    </Message>
  )
}
