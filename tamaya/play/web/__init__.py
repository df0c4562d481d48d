"""The server of the page: people and bots play, watch and replay games in the browser.

In reading order:

- ``server``: all that can be asked for
- ``same_origin``: who may speak to the server at all
- ``static_files``: the files of ``page/``
- ``table_routes``, ``table_sessions``: what is answered about tables, and what goes on at them
- ``study_routes``, ``study_sessions``: the same for studies
- ``clients``: the browsers at a table or a study, and what is new to each
- ``sockets``: messages and bodies of limited size
"""
