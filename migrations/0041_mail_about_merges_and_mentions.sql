-- Whoever took part in a change request is told when it is merged, and somebody who is mentioned is told that, unless they do
-- not want to be.
alter table mails drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('sign-in-code', 'invite', 'review-request', 'reply', 'comment', 'mention',
    'merged', 'webhook-disabled', 'git-failing', 'said'));

alter table muted_mail drop constraint muted_mail_kind_check,
  add constraint muted_mail_kind_check check (kind in ('review-request', 'reply', 'comment', 'mention', 'merged',
    'webhook-disabled', 'git-failing'));
