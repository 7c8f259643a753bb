/** The tones that can be read on every background, by the names that authors use. */
const tones: Record<string, string> = {
  $danger: 'danger',
  $info: 'info',
  $primary: 'accent',
  $success: 'success',
  $warning: 'warning',
  blue: 'info',
  green: 'success',
  orange: 'warning',
  pink: 'violet',
  purple: 'violet',
  red: 'danger',
  yellow: 'warning',
}

export const toneOf = (color: string | undefined): string | undefined =>
  color !== undefined && Object.hasOwn(tones, color.toLowerCase()) ? tones[color.toLowerCase()] : undefined
