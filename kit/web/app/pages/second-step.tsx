import { SecondStep, useStepWords } from '../../second-factor/second-step.tsx'
import type { SecondStepProps } from '../../second-factor/second-step.tsx'
import { PublicPage } from './public.tsx'

/** The page between a password and the application: the second factor is shown, or set up. */
export function SecondStepPage(props: SecondStepProps) {
  const { title, text } = useStepWords(props.step)
  return (
    <PublicPage as="form" title={title} text={text}>
      <SecondStep {...props} />
    </PublicPage>
  )
}
