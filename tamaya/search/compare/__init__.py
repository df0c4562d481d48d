"""Searches without a tree: moves are compared in the same sampled deals, each played to its end by a policy.

In reading order: ``common_deals`` (a deal, and all moves in it), ``batched_rollouts`` (many deals side by side),
``gains`` (what a move gains over the policy's own, and how sure that is), and the four searches: ``flat`` tries all
moves in all deals, ``deviate`` leaves its policy's move for a clearly better one, ``confirm`` does so only if fresh
deals agree, ``best_reply`` does so among strangers. ``move_values`` prices single moves for an analysis.

Words: ``start`` is the position as its player sees it; ``dealt`` one world drawn for it; ``scratch`` where that world
is played; ``own`` the policy's move; ``alive`` the moves that may still turn out better, as a mask; ``gains``
[move] what each gained over ``own``, in points; ``facts`` what a search reports.
"""
