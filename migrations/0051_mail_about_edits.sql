-- Whoever watches a space hears of what others write in its main content, too: up to which revision they were told, and when.
alter table watched_spaces add column told_to int, add column told_at timestamptz(3);

alter table mails drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('sign-in-code', 'invite', 'review-request', 'reply', 'comment', 'mention',
    'merged', 'edited', 'webhook-disabled', 'git-failing', 'said'));

alter table muted_mail drop constraint muted_mail_kind_check,
  add constraint muted_mail_kind_check check (kind in ('review-request', 'reply', 'comment', 'mention', 'merged', 'edited',
    'webhook-disabled', 'git-failing'));
